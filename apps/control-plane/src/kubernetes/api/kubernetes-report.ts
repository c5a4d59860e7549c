import type { JsonObject, OperationsStore } from '@palisade/domain';
import { ComponentReport } from '../../leadership/component-report.js';
import type { LeaderTerm } from '../../leadership/leader-duty.js';
import type { WatchHealthSnapshot } from './watch-health.js';

/** What the duties that work with the cluster say about it, as one component. */
export class KubernetesReport {
  private readonly parts = new Map<string, JsonObject>();
  private readonly report: ComponentReport;

  constructor(operations: Pick<OperationsStore, 'report'>) {
    this.report = new ComponentReport(operations, 'kubernetes');
  }

  /**
   * Replaces the detail of one part.
   *
   * @throws {StoreUnavailableError} {@link LeaseLostError}
   */
  async tell(part: string, detail: JsonObject, term: LeaderTerm): Promise<void> {
    this.parts.set(part, detail);
    await this.report.tell(Object.fromEntries([...this.parts].sort(([a], [b]) => (a < b ? -1 : 1))), term);
  }
}

/** The state of a watch, without what changes while nothing happens. */
export function describeWatch({ state, lastContactAt, error }: WatchHealthSnapshot): JsonObject {
  return {
    state,
    ...(state === 'failing' && lastContactAt !== undefined && { last_contact_at: lastContactAt.toISOString() }),
    ...(error !== undefined && { error }),
  };
}
