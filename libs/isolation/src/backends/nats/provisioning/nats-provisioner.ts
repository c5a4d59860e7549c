import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SerialQueue } from '@palisade/async';
import { NatsNames, type NatsNameFormats } from '../subject-space.js';
import { findLeaks, type NatsParty } from './find-leaks.js';
import { OwnedFile } from './owned-file.js';
import { ProvisioningFailedError } from '../nats.errors.js';
import { renderNatsUsers, type NatsUserFile } from './render-users.js';

export interface NatsProvisionerOptions extends NatsNameFormats {
  /** The file that the servers' configuration includes. Nobody else writes it. */
  readonly file: string;
  /**
   * A program and its arguments that has the servers read their configuration again, such as
   * `['nats-server', '--signal', 'reload=/run/nats.pid']`. It is run without a shell.
   */
  readonly reloadCommand: readonly [string, ...string[]];
  /** One that ends with 0 when the configuration is valid, such as `['nats-server', '-t', '-c', '/etc/nats.conf']`. */
  readonly checkCommand?: readonly [string, ...string[]];
  /** Where a server's monitor listens (`http://127.0.0.1:8222`): it tells whether the server has loaded the file. */
  readonly monitorUrl?: string;
  /** For each command, and for the server to take the file over. Default 10,000. */
  readonly timeoutMs?: number;
}

export interface AppliedUsers {
  /** False when the file said the same already; then nothing was reloaded. */
  readonly isChanged: boolean;
  /** SHA-256 of the file. */
  readonly digest: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const POLL_MS = 50;
const MAX_OUTPUT_CHARS = 2_000;

const run = promisify(execFile);

/** The users of tenants on NATS servers, which know them from their configuration: a file of ours that it includes. */
export class NatsProvisioner {
  readonly #options: NatsProvisionerOptions;
  readonly #names: NatsNames;
  readonly #file: OwnedFile;
  readonly #turns = new SerialQueue();

  /** @throws {InvalidSettingsError} when a format is invalid */
  constructor(options: NatsProvisionerOptions) {
    this.#options = options;
    this.#names = new NatsNames(options);
    this.#file = new OwnedFile(options.file);
  }

  /**
   * Has the servers know exactly these users. Those who are not among them any more are disconnected. One after another
   * when called at the same time.
   *
   * @throws {ProvisioningFailedError} when the servers reject them; the file is as it was then
   */
  async apply(users: NatsUserFile): Promise<AppliedUsers> {
    const content = renderNatsUsers(users, this.#names);
    return this.#turns.run(() => this.#replace(content));
  }

  /**
   * Tries whether two tenants are kept apart, as each of them connects; what is wrong as sentences, empty when nothing is.
   *
   * @throws the reason when one of them cannot connect
   */
  verify(one: NatsParty, other: NatsParty): Promise<readonly string[]> {
    return findLeaks(one, other, this.#names);
  }

  async #replace(content: string): Promise<AppliedUsers> {
    const digest = createHash('sha256').update(content).digest('hex');
    const former = await this.#file.read();
    if (former === content) {
      return { isChanged: false, digest };
    }
    const { checkCommand, reloadCommand } = this.#options;
    const loadedAt = await this.#loadedAt();
    await this.#file.replace(content);
    try {
      await (checkCommand && this.#run(checkCommand));
      await this.#run(reloadCommand);
      await this.#awaitLoad(loadedAt);
    } catch (error) {
      await this.#file.replace(former);
      await this.#run(reloadCommand).catch(() => {}); // the first failure is what is told
      throw error;
    }
    return { isChanged: true, digest };
  }

  async #run([program, ...args]: readonly [string, ...string[]]): Promise<void> {
    const timeout = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    try {
      await run(program, args, { timeout, windowsHide: true });
    } catch (error) {
      const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
      const output = `${stdout}\n${stderr}`.trim().slice(-MAX_OUTPUT_CHARS);
      throw new ProvisioningFailedError(`${program} failed: ${output}`, { cause: error });
    }
  }

  async #awaitLoad(before: string | undefined): Promise<void> {
    const timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const untilMs = performance.now() + timeoutMs;
    if (before === undefined) {
      return;
    }
    while ((await this.#loadedAt()) === before) {
      if (performance.now() > untilMs) {
        throw new ProvisioningFailedError(
          `the server did not take the file over within ${timeoutMs} ms; its log says why`,
        );
      }
      await sleep(POLL_MS);
    }
  }

  /** When the server read its configuration; undefined when we are not to ask. */
  async #loadedAt(): Promise<string | undefined> {
    const { monitorUrl, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    if (monitorUrl === undefined) {
      return undefined;
    }
    try {
      const response = await fetch(new URL('/varz', monitorUrl), { signal: AbortSignal.timeout(timeoutMs) });
      const { config_load_time: loadedAt } = (await response.json()) as { config_load_time?: unknown };
      return String(loadedAt);
    } catch (error) {
      throw new ProvisioningFailedError('the monitor does not answer', { cause: error });
    }
  }
}
