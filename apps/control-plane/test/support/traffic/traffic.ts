import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What clients have met. */
export interface TrafficCounts {
  readonly succeeded: number;
  /** How often, by namespace and what went wrong. */
  readonly failures: Readonly<Record<string, number>>;
}

/** A program of this folder that answers each message with one. */
class Program implements AsyncDisposable {
  private readonly ended: Promise<unknown>;

  protected constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'exit');
  }

  protected static run(file: string, args: readonly (string | number)[]): ChildProcess {
    return fork(join(import.meta.dirname, file), args.map(String), { execArgv: [] });
  }

  protected async ask<T>(message: object | string): Promise<T> {
    const answer = once(this.child, 'message');
    this.child.send(message);
    return ((await answer) as [T])[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** Proxies in a process of their own, that answer everything with their names. */
export class TrafficProxies extends Program {
  private constructor(
    child: ChildProcess,
    readonly ports: Readonly<Record<string, number>>,
  ) {
    super(child);
  }

  static async start(names: readonly string[]): Promise<TrafficProxies> {
    const child = Program.run('proxies-program.mjs', names);
    const [{ ports }] = (await once(child, 'message')) as [{ ports: Record<string, number> }];
    return new TrafficProxies(child, ports);
  }

  portOf(name: string): number {
    return this.ports[name] ?? 0;
  }

  /** Resets its connections, as when its machine dies; nobody listens any more. */
  async kill(name: string): Promise<void> {
    await this.ask({ name, act: 'kill' });
  }

  /** How often it was asked for its health. */
  async checksOf(name: string): Promise<number> {
    return (await this.ask<{ answer: number }>({ name, act: 'count' })).answer;
  }

  /** Listens again where it did. */
  async revive(name: string): Promise<void> {
    await this.ask({ name, act: 'revive' });
  }
}

/** Clients in a process of their own, that keep their connections and never try again. */
export class TrafficClients extends Program {
  static start(port: number, connections: number, namespaces: readonly string[]): TrafficClients {
    return new TrafficClients(Program.run('clients-program.mjs', [port, connections, ...namespaces]));
  }

  counts(): Promise<TrafficCounts> {
    return this.ask('count');
  }

  /** What they have met when all have ended. */
  stop(): Promise<TrafficCounts> {
    return this.ask('stop');
  }
}
