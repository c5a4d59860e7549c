import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'node:http';
import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import { checkWithProgram, runCommand } from '../run-command.js';
import { NotRunningError, ReloadFailedError, isSilence } from '../load-balancer.errors.js';
import type { StagedFiles } from '../files/staged-files.js';
import type { Fence } from '../files/leader.js';
import { LoadBalancerDriver, type ChangeMethod, type Drift } from '../load-balancer-driver.js';
import type { ResolvedState } from '../rendering/resolved-state.js';
import { adminSocketOf } from './envoy-resources.js';
import { renderEnvoy, type EnvoyRendering } from './envoy-rendering.js';

const POLL_MS = 20;

/**
 * Envoy watches its files itself: they take effect when they are installed, and it shows which versions it has taken.
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
        : [{ kind: 'process', detail: `Envoy has other versions of ${stale.slice(0, 5).join(', ')}` }];
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

const MAX_ANSWER_CHARACTERS = 16 * 1024 * 1024;

/** Envoy's administration interface, on a Unix socket. */
export class EnvoyAdmin {
  constructor(
    private readonly path: string,
    private readonly timeoutMs: number,
  ) {}

  /** The version that Envoy has taken last from each source, by name. @throws {NotRunningError} when no process listens */
  async versions(): Promise<ReadonlyMap<string, string>> {
    const answer = await this.get('/stats?filter=version_text');
    return new Map(
      [...answer.matchAll(/^(.+)\.version_text: "(.*)"$/gm)].map(([, name = '', version = '']) => [name, version]),
    );
  }

  private get(path: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const signal = AbortSignal.timeout(this.timeoutMs);
    const asked = request({ socketPath: this.path, path, host: 'envoy', signal, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
        if (body.length > MAX_ANSWER_CHARACTERS) {
          asked.destroy(new Error(`an answer is longer than ${MAX_ANSWER_CHARACTERS} characters`));
        }
      });
      response.once('end', () => resolve(body));
      response.once('error', reject);
    });
    asked.once('error', (error) => {
      reject(isSilence(error) ? new NotRunningError(`${this.path}: ${error.message}`, { cause: error }) : error);
    });
    asked.end();
    return promise;
  }
}
