import { createHmac } from 'node:crypto';
import type { TenantId } from '@palisade/domain';
import { type NatsKey, natsKeyFrom } from './backends/nats/provisioning/nats-key.js';

const MIN_SECRET_LENGTH = 32;

/**
 * What each tenant logs in to backends with, derived from one secret: there is nothing else to keep or to hand over. Whoever
 * provisions and whoever connects have the same secret, and so the same passwords and keys.
 */
export class TenantSecrets {
  /** @throws {RangeError} when the secret has fewer than 32 characters */
  constructor(private readonly secret: string) {
    if (secret.length < MIN_SECRET_LENGTH) {
      throw new RangeError(`expected a secret of at least ${MIN_SECRET_LENGTH} characters`);
    }
  }

  /** 43 characters of base64url. */
  passwordOf(backend: 'postgres' | 'redis' | 'kafka', tenantId: TenantId): string {
    return this.derive(backend, tenantId).toString('base64url');
  }

  natsKeyOf(tenantId: TenantId): NatsKey {
    return natsKeyFrom(this.derive('nats', tenantId));
  }

  /** HMAC-SHA-256 over the kind of the backend and the tenant's id, neither of which can hold a line break. */
  private derive(backend: string, tenantId: TenantId): Buffer {
    return createHmac('sha256', this.secret).update(`${backend}\n${tenantId}`).digest();
  }
}
