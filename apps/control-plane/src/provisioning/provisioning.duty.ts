import type { BackendKind, Store } from '@palisade/domain';
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
 * Creates the credentials and permissions of tenants on the backends, verifies and repairs them, and removes them with the
 * tenants. The progress of
 * each backend is stored with the status, so that the next leader resumes there. What fails is tried again with growing
 * pauses, and holds up neither other tenants nor other backends.
 */
export class ProvisioningDuty extends PeriodicDuty {
  override readonly name = 'provisioning';

  /**
   * @param openBackends is called at the beginning of each term; the clients of backends are loaded no earlier
   * @param onRepair is called for each tenant that was not as provisioned
   */
  constructor(
    private readonly store: Pick<Store, 'tenants' | 'operations' | 'log'>,
    private readonly registry: TenantSources['registry'],
    private readonly openBackends: () => Promise<readonly ProvisionedBackend[]>,
    private readonly onRepair: (backend: BackendKind) => void = () => {},
  ) {
    super();
  }

  override async run(term: LeaderTerm): Promise<void> {
    const progress = await this.findProgress();
    const sources = { tenants: this.store.tenants, registry: this.registry, log: this.store.log };
    const backends = await this.openBackends();
    const all = backends.map((each) => {
      const { backend } = each.provisioner;
      return new BackendProvisioning(each, sources, progress.get(backend), () => this.onRepair(backend));
    });
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
