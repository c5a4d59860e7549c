import type { Store } from '@palisade/domain';
import { pause, runTogether, SerialQueue } from '@palisade/async';
import { ComponentReport } from '../leadership/component-report.js';
import { PeriodicDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import {
  BackendProvisioning,
  type ProvisionedBackend,
  type TenantSources,
  readProgress,
} from './backend-provisioning.js';

const COMPONENT = 'provisioning';
const INTERVAL_MS = 500;

/**
 * Creates the credentials and permissions of tenants on the backends, and removes them with the tenants. The progress of
 * each backend is stored with the status, so that the next leader resumes there. What fails is tried again with growing
 * pauses, and holds up neither other tenants nor other backends.
 */
export class ProvisioningDuty extends PeriodicDuty {
  override readonly name = 'provisioning';

  /** @param openBackends is called at the beginning of each term; the clients of backends are loaded no earlier */
  constructor(
    private readonly store: Pick<Store, 'tenants' | 'operations'>,
    private readonly registry: TenantSources['registry'],
    private readonly openBackends: () => Promise<readonly ProvisionedBackend[]>,
  ) {
    super();
  }

  override async run(term: LeaderTerm): Promise<void> {
    const progress = await this.findProgress();
    const sources = { tenants: this.store.tenants, registry: this.registry };
    const backends = await this.openBackends();
    const all = backends.map(
      (backend) => new BackendProvisioning(backend, sources, progress.get(backend.provisioner.backend)),
    );
    const reports = new SerialQueue();
    const component = new ComponentReport(this.store.operations, COMPONENT);
    const report = (): Promise<void> =>
      reports.run(() => component.tell({ backends: all.map((one) => one.describe()) }, term));
    const tasks = all.map((one) => (signal: AbortSignal) => this.keepProviding(one, report, term, signal));
    await runTogether(term.signal, ...tasks);
  }

  private async findProgress(): Promise<ReturnType<typeof readProgress>> {
    const statuses = await this.store.operations.statuses();
    return readProgress(statuses.find(({ component }) => component === COMPONENT)?.detail);
  }

  private async keepProviding(
    backend: BackendProvisioning,
    report: () => Promise<void>,
    term: LeaderTerm,
    signal: AbortSignal,
  ): Promise<void> {
    let hasMore = false;
    const advance = async (): Promise<void> => {
      hasMore = false;
      const hasDone = await backend.advance(term, signal);
      await report();
      hasMore = hasDone;
    };
    await this.repeat(signal, advance, async () => {
      if (!hasMore) {
        await pause(INTERVAL_MS, signal);
      }
    });
  }
}
