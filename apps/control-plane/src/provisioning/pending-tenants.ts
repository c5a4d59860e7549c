import type { JsonObject, TenantId } from '@palisade/domain';

interface Pending {
  readonly reason: string;
  readonly failures: number;
  readonly nextAttemptAt: number;
}

const MIN_BACKOFF_MS = 2000;
const MAX_BACKOFF_MS = 300_000;

/** Tenants that could not be provided for on one backend. Times in milliseconds since 1970. */
export class PendingTenants {
  private readonly pending = new Map<TenantId, Pending>();

  get size(): number {
    return this.pending.size;
  }

  /** Whose time has come, those that have waited longest first. */
  due(now: number, limit: number): TenantId[] {
    return [...this.pending]
      .filter(([, { nextAttemptAt }]) => nextAttemptAt <= now)
      .sort(([, one], [, other]) => one.nextAttemptAt - other.nextAttemptAt)
      .slice(0, limit)
      .map(([id]) => id);
  }

  /** To be tried again after two seconds, and then after twice as long each time, up to five minutes. */
  failed(tenant: TenantId, reason: string, now: number): void {
    const failures = this.pending.get(tenant)?.failures ?? 0;
    const backoffMs = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** failures);
    this.pending.set(tenant, { reason, failures: failures + 1, nextAttemptAt: now + backoffMs });
  }

  /** What another leader could not do, to be tried again at once. */
  recall(tenant: TenantId, reason: string): void {
    this.pending.set(tenant, { reason, failures: 0, nextAttemptAt: 0 });
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
