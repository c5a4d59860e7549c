import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import { checkWithProgram, runCommand } from '../run-command.js';
import { NotRunningError, ReloadFailedError } from '../load-balancer.errors.js';
import type { StagedFiles } from '../files/staged-files.js';
import type { Fence } from '../files/leader.js';
import { LoadBalancerDriver, type ChangeMethod, type Drift } from '../load-balancer-driver.js';
import type { ResolvedState } from '../rendering/resolved-state.js';
import { EnvoyAdmin } from './envoy-admin.js';
import { adminSocketOf } from './envoy-resources.js';
import { renderEnvoy, type EnvoyRendering } from './envoy-rendering.js';

const POLL_MS = 20;

/**
 * Envoy, which follows the files by itself: they are in force when they are in place, and it tells which versions it has
 * taken.
 */
export class EnvoyDriver extends LoadBalancerDriver<EnvoyRendering> {
  override readonly type = 'envoy';
  private readonly admin: EnvoyAdmin;

  constructor(private readonly settings: LoadBalancerSettings) {
    super();
    this.admin = new EnvoyAdmin(adminSocketOf(settings), settings.commandTimeoutMs);
  }

  override render(state: ResolvedState): Promise<EnvoyRendering> {
    return renderEnvoy(this.settings, state);
  }

  override async validate({ trial }: EnvoyRendering, staged: StagedFiles): Promise<void> {
    const { binary, commandTimeoutMs } = this.settings;
    const path = await staged.addTrial('trial.json', [trial()]);
    await checkWithProgram([binary, '--mode', 'validate', '-l', 'error', '-c', path], commandTimeoutMs);
  }

  override async classify(from: EnvoyRendering | undefined, to: EnvoyRendering): Promise<ChangeMethod> {
    const known = new Set(from?.files.map(({ hash }) => hash));
    const changed = to.files.filter(({ hash }) => !known.has(hash));
    const isRoutes = changed.every(({ path }) => path === to.routes.path);
    const isServers =
      from?.pools === to.pools && changed.every(({ path }) => path === to.routes.path || path === to.clusters.path);
    return isRoutes ? 'maps' : isServers ? 'servers' : 'reload';
  }

  override update(_: EnvoyRendering | undefined, to: EnvoyRendering): Promise<void> {
    return this.awaitVersions(to);
  }

  override async reload(expected: EnvoyRendering | undefined, fence: Fence): Promise<void> {
    const { reloadCommand, commandTimeoutMs } = this.settings;
    if (reloadCommand !== undefined) {
      await fence.check();
      await runCommand(reloadCommand, commandTimeoutMs);
    }
    if (expected !== undefined) {
      await this.awaitVersions(expected);
    }
  }

  override async findDrift({ versions }: EnvoyRendering): Promise<Drift[]> {
    try {
      const stale = await this.staleSources(versions);
      return stale.length === 0
        ? []
        : [{ kind: 'process', detail: `Envoy has taken other versions of ${stale.slice(0, 5).join(', ')}` }];
    } catch (error) {
      if (error instanceof NotRunningError) {
        return [{ kind: 'process', detail: `Envoy does not answer: ${error.message}` }];
      }
      throw error;
    }
  }

  private async awaitVersions({ versions }: EnvoyRendering): Promise<void> {
    const deadline = performance.now() + this.settings.commandTimeoutMs;
    let stale = await this.staleSources(versions);
    while (stale.length > 0) {
      if (performance.now() > deadline) {
        throw new ReloadFailedError(`Envoy has not taken ${stale.slice(0, 5).join(', ')}; see its log`);
      }
      await sleep(POLL_MS);
      stale = await this.staleSources(versions);
    }
  }

  private async staleSources(wanted: ReadonlyMap<string, string>): Promise<string[]> {
    const taken = await this.admin.versions();
    return [...wanted].filter(([name, version]) => taken.get(name) !== version).map(([name]) => name);
  }
}
