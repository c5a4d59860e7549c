import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import { runCommand, checkWithProgram } from '../run-command.js';
import { NotRunningError, ReloadFailedError } from '../load-balancer.errors.js';
import type { StagedFiles } from '../files/staged-files.js';
import type { Fence } from '../files/leader.js';
import { LoadBalancerDriver, type ChangeMethod, type Drift } from '../load-balancer-driver.js';
import type { ResolvedState } from '../rendering/resolved-state.js';
import { printConfiguration } from './haproxy-configuration.js';
import { findHaproxyDrift } from './haproxy-drift.js';
import { HaproxyMaster } from './haproxy-master.js';
import { renderHaproxy, type HaproxyRendering } from './haproxy-rendering.js';
import { HaproxySocket } from './haproxy-socket.js';
import { HaproxyWorker } from './haproxy-worker.js';
import { replaceMap, updateMap, updateOldWorkers } from './map-update.js';
import { updateServers } from './server-update.js';

const POLL_MS = 20;

/** HAProxy 2.6 or later in master-worker mode; see docs/control-plane/load-balancer.md for how it is run. */
export class HaproxyDriver extends LoadBalancerDriver<HaproxyRendering> {
  override readonly type = 'haproxy';
  private readonly master: HaproxyMaster | undefined;
  private readonly worker: HaproxyWorker | undefined;

  constructor(private readonly settings: LoadBalancerSettings) {
    super();
    const { masterSocket, runtimeSocket, commandTimeoutMs } = settings;
    this.master =
      masterSocket === undefined
        ? undefined
        : new HaproxyMaster(new HaproxySocket(masterSocket, commandTimeoutMs), commandTimeoutMs);
    this.worker =
      runtimeSocket === undefined ? undefined : new HaproxyWorker(new HaproxySocket(runtimeSocket, commandTimeoutMs));
  }

  override render(state: ResolvedState, previous: HaproxyRendering | undefined): Promise<HaproxyRendering> {
    return renderHaproxy(this.settings, state, previous);
  }

  /** New entries of the map of names need no check by the program: they were validated when they were printed. */
  override async validate({ layout, maps, fingerprint }: HaproxyRendering, staged: StagedFiles): Promise<void> {
    if (!staged.has(this.settings.configPath) && !staged.has(maps.wildcards)) {
      return;
    }
    const trialMaps = { namespaces: staged.pathOf(maps.namespaces), wildcards: staged.pathOf(maps.wildcards) };
    const trial = await staged.addTrial('trial.cfg', [printConfiguration(layout, trialMaps, fingerprint)]);
    const { binary, commandTimeoutMs } = this.settings;
    await checkWithProgram([binary, '-c', '-f', trial], commandTimeoutMs);
  }

  override async classify(from: HaproxyRendering | undefined, to: HaproxyRendering): Promise<ChangeMethod> {
    if (this.worker === undefined) {
      return 'reload';
    }
    const running = from?.fingerprint ?? (await this.worker.description().catch(ignoreAbsence));
    if (running !== to.fingerprint) {
      return 'reload';
    }
    return from?.configuration.hash === to.configuration.hash ? 'maps' : 'servers';
  }

  override async update(from: HaproxyRendering | undefined, to: HaproxyRendering, fence: Fence): Promise<void> {
    const worker = this.requireWorker().behind(fence);
    const running = await worker.description();
    if (running !== to.fingerprint) {
      throw new Error(`HAProxy runs another configuration: ${running}`);
    }
    if (from?.configuration.hash !== to.configuration.hash) {
      await updateServers(worker, to.layout.pools);
    }
    // Names before wildcards: the more exact entry must exist before the less exact one is removed.
    await updateMap(worker, to.maps.namespaces, from?.namespaces, to.namespaces);
    if (from?.wildcardFile.hash !== to.wildcardFile.hash) {
      await replaceMap(worker, to.maps.wildcards, to.wildcards, to.wildcards.length);
    }
    if (from !== undefined && this.master !== undefined) {
      // A worker that is ending must not keep a change from being applied.
      const { namespaces } = to.maps;
      await updateOldWorkers(this.master, fence, namespaces, from.namespaces, to.namespaces).catch(() => {});
    }
  }

  override async reload(expected: HaproxyRendering | undefined, fence: Fence): Promise<void> {
    const { reloadCommand, commandTimeoutMs } = this.settings;
    const command = reloadCommand && ((): Promise<string> => runCommand(reloadCommand, commandTimeoutMs));
    if (this.master !== undefined) {
      await this.master.reload(fence, command);
    } else if (command !== undefined) {
      await fence.check();
      await command();
    } else {
      throw new ReloadFailedError('there is neither a master socket nor a reload command');
    }
    if (expected !== undefined && this.worker !== undefined) {
      await this.verify(this.worker, expected, fence);
    }
  }

  override findDrift(expected: HaproxyRendering): Promise<Drift[]> {
    return findHaproxyDrift(expected, this.worker, this.master);
  }

  /** The new worker's socket replaces the old one's; until then the old worker answers, or none. */
  private async verify(
    worker: HaproxyWorker,
    { fingerprint, maps, namespaces, wildcards }: HaproxyRendering,
    fence: Fence,
  ): Promise<void> {
    const expected = JSON.stringify([fingerprint, namespaces.size, wildcards.length]);
    const deadline = performance.now() + this.settings.commandTimeoutMs;
    for (;;) {
      const found = await Promise.all([
        worker.description(),
        worker.countMap(maps.namespaces),
        worker.countMap(maps.wildcards),
      ]).catch(ignoreAbsence);
      if (JSON.stringify(found) === expected) {
        return;
      }
      // Another leader may have loaded another configuration; then this one never appears.
      await fence.check();
      if (performance.now() > deadline) {
        throw new ReloadFailedError(
          `after the reload, HAProxy has [configuration, names and prefixes, wildcards] ${JSON.stringify(found)} instead of ${expected}: is it started with ${this.settings.configPath}?`,
        );
      }
      await sleep(POLL_MS);
    }
  }

  private requireWorker(): HaproxyWorker {
    if (this.worker === undefined) {
      throw new Error('there is no runtime socket');
    }
    return this.worker;
  }
}

function ignoreAbsence(error: unknown): undefined {
  if (!(error instanceof NotRunningError)) {
    throw error;
  }
}
