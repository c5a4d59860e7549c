import { StoreUnavailableError, type Store } from '@palisade/domain';
import { pause, runTogether, SerialQueue } from '@palisade/async';
import { LeaderDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import {
  BackendProvisioning,
  type ProvisionedBackend,
  type TenantSources,
  readProgress,
} from './backend-provisioning.js';

const COMPONENT = 'provisioning';
const INTERVAL_MS = 500;

/**
 * Provides for tenants on the backends as they come and change, and takes everything back when they go. How far each
 * backend has come is kept with the status, so that the next leader goes on from there. What fails is tried again with
 * growing pauses, and holds up neither other tenants nor other backends.
 */
export class ProvisioningDuty extends LeaderDuty {
  override readonly name = 'provisioning';

  /** @param openBackends is asked at the beginning of a term: the clients of backends are not loaded before */
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
    const report = (): Promise<void> => reports.run(() => this.report(all, term));
    const tasks = all.map((one) => (signal: AbortSignal) => keepProviding(one, report, term, signal));
    await runTogether(term.signal, ...tasks);
  }

  private async findProgress(): Promise<ReturnType<typeof readProgress>> {
    const statuses = await this.store.operations.statuses();
    return readProgress(statuses.find(({ component }) => component === COMPONENT)?.detail);
  }

  private async report(backends: readonly BackendProvisioning[], term: LeaderTerm): Promise<void> {
    const lease = term.lease();
    const detail = { backends: backends.map((backend) => backend.describe()) };
    await this.store.operations.report({ component: COMPONENT, detail, holder: lease.holder, at: new Date() }, lease);
  }
}

async function keepProviding(
  backend: BackendProvisioning,
  report: () => Promise<void>,
  term: LeaderTerm,
  signal: AbortSignal,
): Promise<void> {
  let isReported = true;
  while (!signal.aborted) {
    try {
      const hasDone = await backend.advance(term, signal);
      isReported &&= !hasDone;
      if (!isReported) {
        await report();
        isReported = true;
      }
      if (!hasDone) {
        await pause(INTERVAL_MS, signal);
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (!(error instanceof StoreUnavailableError)) {
        throw error;
      }
      await pause(INTERVAL_MS, signal);
    }
  }
}
