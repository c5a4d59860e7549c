import type { JsonObject, OperationsStore } from '@palisade/domain';
import type { LeaderTerm } from './leader-duty.js';

/** What the leader says about one component; every replica shows it in its status. */
export class ComponentReport {
  private stored: { readonly text: string; readonly epoch: number } | undefined;

  constructor(
    private readonly operations: Pick<OperationsStore, 'report'>,
    private readonly component: string,
  ) {}

  /**
   * Stores the detail when it has changed since the last time, or since an earlier term.
   *
   * @param detail must be serializable as JSON; undefined fields are left out
   * @throws {StoreUnavailableError} {@link LeaseLostError}
   */
  async tell(detail: object, term: LeaderTerm): Promise<void> {
    const text = JSON.stringify(detail);
    const lease = term.lease();
    if (text === this.stored?.text && lease.epoch === this.stored.epoch) {
      return;
    }
    const status = { component: this.component, detail: JSON.parse(text) as JsonObject, holder: lease.holder };
    await this.operations.report({ ...status, at: new Date() }, lease);
    this.stored = { text, epoch: lease.epoch };
  }
}
