import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fence } from '../files/leader.js';
import type { HaproxySocket } from './haproxy-socket.js';

/** Lines of commands and payloads are cut into pieces of this size. */
const MAX_PIECE_BYTES = 8 * 1024;

/** A server as a worker shows it. */
export interface ObservedServer {
  readonly address: string;
  readonly port: number;
  readonly weight: number;
  readonly isInMaintenance: boolean;
  /** Set by an operator's command; the control plane drains with weight 0. */
  readonly isDraining: boolean;
}

const FORCED_MAINTENANCE = 0x01;
const DRAIN = 0x08 | 0x10;

/** A worker: the one that takes new connections, by the `stats socket` of its configuration, or any by the master's socket. */
export class HaproxyWorker {
  /**
   * @param prefix precedes every command; names the worker that the master passes it to
   * @param fence checked before each command that changes something
   */
  constructor(
    private readonly socket: HaproxySocket,
    private readonly prefix = '',
    private readonly fence?: Fence,
  ) {}

  /** The same worker, with the fence checked before each change. */
  behind(fence: Fence): HaproxyWorker {
    return new HaproxyWorker(this.socket, this.prefix, fence);
  }

  /** The description in its configuration. @throws {NotRunningError} when no process listens */
  async description(): Promise<string | undefined> {
    const answer = await this.socket.ask(`${this.prefix}show info`);
    return /^description: (.*)$/m.exec(answer)?.[1];
  }

  /** Runs commands in order and returns the answers; empty when HAProxy reports no error. */
  async run(commands: readonly string[]): Promise<string> {
    const answers: string[] = [];
    const addressed = commands.map((command) => this.prefix + command);
    for (const line of cut(addressed, ';')) {
      answers.push(await this.order(line));
    }
    return answers.filter((answer) => answer !== '').join('\n');
  }

  /** The number of entries of a map; undefined when the map does not exist. */
  async countMap(path: string): Promise<number | undefined> {
    const answer = await this.socket.ask(`${this.prefix}show map`);
    const line = answer.split('\n').find((each) => each.includes(` (${path}) `));
    const count = /entry_cnt=(\d+)/.exec(line ?? '')?.[1];
    return count === undefined ? undefined : Number(count);
  }

  /** The entries of a map, in their order. Yields to other work meanwhile. */
  async eachMapEntry(path: string, handle: (key: string, value: string) => void): Promise<void> {
    for await (const lines of this.socket.read(`${this.prefix}show map ${path}`)) {
      for (const line of lines) {
        const [, key, value] = line.split(' ');
        if (key !== undefined && value !== undefined) {
          handle(key, value);
        }
      }
      await nextTurn();
    }
  }

  /**
   * Replaces all entries of a map atomically.
   *
   * @throws {Error} with HAProxy's message
   */
  async replaceMap(path: string, entries: Iterable<readonly [string, string]>): Promise<void> {
    const prepared = await this.order(`${this.prefix}prepare map ${path}`);
    const version = /^New version created: (\d+)$/.exec(prepared)?.[1];
    if (version === undefined) {
      throw new Error(`"prepare map" was answered with ${JSON.stringify(prepared.slice(0, 200))}`);
    }
    for (const payload of cut(mapLines(entries), '\n')) {
      requireSilence(await this.order(`${this.prefix}add map @${version} ${path} <<\n${payload}\n`));
    }
    requireSilence(await this.order(`${this.prefix}commit map @${version} ${path}`));
  }

  private async order(command: string): Promise<string> {
    await this.fence?.check();
    return this.socket.ask(command);
  }

  /** The names of its backends. */
  async backends(): Promise<ReadonlySet<string>> {
    const answer = await this.socket.ask(`${this.prefix}show backend`);
    return new Set(answer.split('\n'));
  }

  /** By backend, then by name. */
  async servers(): Promise<ReadonlyMap<string, ReadonlyMap<string, ObservedServer>>> {
    const answer = await this.socket.ask(`${this.prefix}show servers state`);
    const [, header = '', ...rows] = answer.split('\n');
    const names = header.replace(/^# /, '').split(' ');
    const backends = new Map<string, Map<string, ObservedServer>>();
    for (const row of rows) {
      const values = row.split(' ');
      const field = (name: string): string => values[names.indexOf(name)] ?? '';
      const servers = backends.get(field('be_name')) ?? new Map<string, ObservedServer>();
      backends.set(field('be_name'), servers.set(field('srv_name'), toObservedServer(field)));
    }
    return backends;
  }
}

function toObservedServer(field: (name: string) => string): ObservedServer {
  const state = Number(field('srv_admin_state'));
  return {
    address: field('srv_addr'),
    port: Number(field('srv_port')),
    weight: Number(field('srv_uweight')),
    isInMaintenance: (state & FORCED_MAINTENANCE) !== 0,
    isDraining: (state & DRAIN) !== 0,
  };
}

function* mapLines(entries: Iterable<readonly [string, string]>): Generator<string> {
  for (const [key, value] of entries) {
    yield `${key} ${value}`;
  }
}

/** Joins texts to pieces of the maximal size. */
function* cut(texts: Iterable<string>, separator: string): Generator<string> {
  let piece: string[] = [];
  let size = 0;
  for (const text of texts) {
    if (size + text.length + 1 > MAX_PIECE_BYTES && piece.length > 0) {
      yield piece.join(separator);
      piece = [];
      size = 0;
    }
    piece.push(text);
    size += text.length + 1;
  }
  if (piece.length > 0) {
    yield piece.join(separator);
  }
}

function requireSilence(answer: string): void {
  if (answer !== '') {
    throw new Error(`a command to change a map was answered with ${JSON.stringify(answer.slice(0, 200))}`);
  }
}
