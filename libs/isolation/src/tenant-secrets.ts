import { createHmac } from 'node:crypto';
import type { NamespaceId } from '@palisade/domain';
import { type NatsKey, natsKeyFrom } from './backends/nats/provisioning/nats-key.js';

const MIN_SECRET_LENGTH = 32;

/**
 * What each namespace logs in to backends with, derived from one secret: there is nothing else to keep or to hand over. Whoever
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
  passwordOf(backend: 'postgres' | 'redis' | 'kafka', namespace: NamespaceId): string {
    return this.derive(backend, namespace).toString('base64url');
  }

  natsKeyOf(namespace: NamespaceId): NatsKey {
    return natsKeyFrom(this.derive('nats', namespace));
  }

  /** HMAC-SHA-256 over the kind of the backend and the namespace, neither of which can hold a line break. */
  private derive(backend: string, namespace: NamespaceId): Buffer {
    return createHmac('sha256', this.secret).update(`${backend}\n${namespace}`).digest();
  }
}
