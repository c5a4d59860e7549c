import { Backoff } from '@palisade/async';
import type { JsonObject, TenantId } from '@palisade/domain';

interface Pending {
  readonly reason: string;
  readonly backoff: Backoff;
  readonly nextAttemptAt: number;
}

const RETRY = { minMs: 2000, maxMs: 300_000 };

/** Tenants whose provisioning on one backend has failed. Times are in milliseconds since 1970. */
export class PendingTenants {
  private readonly pending = new Map<TenantId, Pending>();

  get size(): number {
    return this.pending.size;
  }

  has(tenant: TenantId): boolean {
    return this.pending.has(tenant);
  }

  /** The tenants to try again now, those that have waited longest first. */
  due(now: number, limit: number): TenantId[] {
    return [...this.pending]
      .filter(([, { nextAttemptAt }]) => nextAttemptAt <= now)
      .sort(([, one], [, other]) => one.nextAttemptAt - other.nextAttemptAt)
      .slice(0, limit)
      .map(([id]) => id);
  }

  /** Tries again after two seconds, then after twice as long each time, up to five minutes. */
  failed(tenant: TenantId, reason: string, now: number): void {
    const backoff = this.pending.get(tenant)?.backoff ?? new Backoff(RETRY);
    this.pending.set(tenant, { reason, backoff, nextAttemptAt: now + backoff.next() });
  }

  /** A failure of an earlier leader, to be tried again at once. */
  recall(tenant: TenantId, reason: string): void {
    this.pending.set(tenant, { reason, backoff: new Backoff(RETRY), nextAttemptAt: 0 });
  }

  done(tenant: TenantId): void {
    this.pending.delete(tenant);
  }

  describe(): JsonObject[] {
    return [...this.pending].map(([tenant, { reason, nextAttemptAt }]) => ({
      tenant,
      reason,
      next_attempt_at: new Date(nextAttemptAt).toISOString(),
    }));
  }
}
