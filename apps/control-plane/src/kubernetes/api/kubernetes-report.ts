import type { JsonObject, OperationsStore } from '@palisade/domain';
import type { LeaderTerm } from '../../leadership/leader-duty.js';
import type { WatchHealthSnapshot } from './watch-health.js';

const COMPONENT = 'kubernetes';

/** What the duties that work with the cluster tell of it, as one component. */
export class KubernetesReport {
  private readonly parts = new Map<string, JsonObject>();
  private reported: { readonly text: string; readonly epoch: number } | undefined;

  constructor(private readonly operations: OperationsStore) {}

  /**
   * Says anew what there is to say of one part. Only what has changed is stored.
   *
   * @throws {StoreUnavailableError} {@link LeaseLostError}
   */
  async tell(part: string, detail: JsonObject, term: LeaderTerm): Promise<void> {
    this.parts.set(part, detail);
    const whole: JsonObject = Object.fromEntries([...this.parts].sort(([a], [b]) => (a < b ? -1 : 1)));
    const text = JSON.stringify(whole);
    const lease = term.lease();
    if (text !== this.reported?.text || lease.epoch !== this.reported.epoch) {
      await this.operations.report(
        { component: COMPONENT, detail: whole, holder: lease.holder, at: new Date() },
        lease,
      );
      this.reported = { text, epoch: lease.epoch };
    }
  }
}

/** How a watch is, as far as it stays the same while nothing happens. */
export function describeWatch({ state, lastSignAt, error }: WatchHealthSnapshot): JsonObject {
  return {
    state,
    ...(state === 'failing' && lastSignAt !== undefined && { last_sign_at: lastSignAt.toISOString() }),
    ...(error !== undefined && { error }),
  };
}
