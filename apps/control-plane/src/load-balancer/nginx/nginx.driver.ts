import { readFile, rm, writeFile } from 'node:fs/promises';
import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import { checkWithProgram, runCommand } from '../run-command.js';
import type { StagedFiles } from '../files/staged-files.js';
import type { Fence } from '../files/leader.js';
import { LoadBalancerDriver, type ChangeMethod, type Drift } from '../load-balancer-driver.js';
import { hashFiles, renderFile, type Rendering } from '../rendering/rendered-file.js';
import type { ResolvedState } from '../rendering/resolved-state.js';
import { pidFileOf, printNginxFrame } from './nginx-configuration.js';
import { nginxMaps } from './nginx-maps.js';
import { NginxProcesses } from './nginx-processes.js';

/** NGINX 1.22 or later. It cannot be changed at runtime, so every change is a reload. */
export class NginxDriver extends LoadBalancerDriver<Rendering> {
  override readonly type = 'nginx';
  private readonly processes: NginxProcesses;

  constructor(private readonly settings: LoadBalancerSettings) {
    super();
    this.processes = new NginxProcesses(pidFileOf(settings), settings.commandTimeoutMs);
  }

  override async render(state: ResolvedState): Promise<Rendering> {
    const largest = Math.max(state.exact.size, state.prefixes.size);
    const { head, tail } = printNginxFrame(this.settings, state.pools, largest);
    const file = await renderFile(this.settings.configPath, [head, ...(await nginxMaps(state)), tail]);
    return { files: [file], hash: hashFiles([file]) };
  }

  override async validate({ files }: Rendering, staged: StagedFiles): Promise<void> {
    const { binary, commandTimeoutMs } = this.settings;
    for (const { path } of files) {
      await checkWithProgram([binary, '-t', '-q', '-c', staged.pathOf(path)], commandTimeoutMs);
    }
  }

  override async classify(): Promise<ChangeMethod> {
    return 'reload';
  }

  override async update(): Promise<void> {
    throw new Error('NGINX changes only by a reload');
  }

  override async reload(expected: Rendering | undefined, fence: Fence): Promise<void> {
    const { reloadCommand, binary, configPath, commandTimeoutMs } = this.settings;
    if (reloadCommand === undefined) {
      await this.processes.requireMaster();
    }
    const before = await this.processes.findWorkers();
    await fence.check();
    await rm(this.loadedFile, { force: true });
    await runCommand(reloadCommand ?? [binary, '-s', 'reload', '-c', configPath], commandTimeoutMs);
    if (before !== undefined) {
      await this.processes.awaitReplacement(before);
    }
    await fence.check();
    await writeFile(this.loadedFile, expected?.hash ?? '');
  }

  /** NGINX does not show its configuration, so the hash of the last one that it loaded is kept beside the file. */
  override async findDrift({ hash }: Rendering): Promise<Drift[]> {
    if (this.settings.reloadCommand === undefined && (await this.processes.findMaster()) === undefined) {
      return [{ kind: 'process', detail: 'NGINX is not running' }];
    }
    const loaded = await readFile(this.loadedFile, 'utf8').catch(() => '');
    return loaded === hash ? [] : [{ kind: 'process', detail: 'NGINX may not have loaded the configuration' }];
  }

  private get loadedFile(): string {
    return `${this.settings.configPath}.loaded`;
  }
}
