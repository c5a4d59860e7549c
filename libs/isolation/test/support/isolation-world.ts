import { Test, type TestingModule } from '@nestjs/testing';
import { parseNamespaceId, type LogRecord } from '@palisade/domain';
import type { IsolationCaller, RunOptions } from '../../src/running/connection-source.js';
import type { IsolationOptions } from '../../src/isolation-options.js';
import { IsolationPools } from '../../src/isolation-pools.js';
import { IsolationSessions } from '../../src/isolation-sessions.js';
import { Isolation } from '../../src/isolation.js';
import { IsolationModule } from '../../src/isolation.module.js';
import { IsolationPolicy } from '../../src/policy/isolation-policy.js';
import { UsageService } from '../../src/usage/usage.service.js';
import { ScopedDriver, type FakeClient } from './scoped-driver.js';
import { VirtualClock } from './virtual-clock.js';

export const ACME = parseNamespaceId('acme');
export const BOLT = parseNamespaceId('bolt');
export const ALICE: IsolationCaller = { namespace: ACME, clientId: 'alice' };
export const BOB: IsolationCaller = { namespace: BOLT, clientId: 'bob' };

export const PER_NAMESPACE = {
  isolation_level: 'namespace',
  connection_pools: { fake: { connections_per_namespace: 1, max_total_connections: 2 } },
};
export const SHARED = { isolation_level: 'none', connection_pools: { fake: { max_connections: 2 } } };
export const PER_SESSION = {
  isolation_level: 'session',
  connection_pools: { fake: { max_connections: 4, per_session_limit: 2 } },
  session_management: { max_sessions: 2 },
};

export type Work<T> = (client: FakeClient) => Promise<T>;

/** An isolation module over a fake driver under a virtual clock, with a sink that fails when told to. */
export class IsolationWorld {
  readonly clock = new VirtualClock();
  readonly driver = new ScopedDriver({ clock: this.clock });
  readonly records: LogRecord[] = [];
  sinkFailure: unknown = undefined;
  #module: TestingModule | undefined = undefined;

  static async create(settings: unknown, options: Partial<IsolationOptions> = {}): Promise<IsolationWorld> {
    const world = new IsolationWorld();
    const module = IsolationModule.forRoot({
      settings,
      backends: { fake: world.driver },
      actionSink: { write: (records) => world.#write(records) },
      clock: world.clock,
      ...options,
    });
    world.#module = await Test.createTestingModule({ imports: [module] }).compile();
    await world.#module.init();
    return world;
  }

  get isolation(): Isolation {
    return this.#get(Isolation);
  }

  get usage(): UsageService {
    return this.#get(UsageService);
  }

  get pools(): IsolationPools {
    return this.#get(IsolationPools);
  }

  get sessions(): IsolationSessions {
    return this.#get(IsolationSessions);
  }

  get policy(): IsolationPolicy {
    return this.#get(IsolationPolicy);
  }

  /** Names of the results so far, with their codes. */
  get results(): string[] {
    return this.records.map(({ result, detail }) => `${result} ${detail?.['code'] ?? ''}`.trim());
  }

  /** Begins work of the fake backend. */
  run<T>(work: Work<T>, caller: IsolationCaller = ALICE, options: RunOptions = {}): Promise<T> {
    const running = this.isolation.run(caller, 'fake', ScopedDriver, work, options);
    running.catch(() => {}); // the caller sees it
    return running;
  }

  /** Lets the time pass that opening a connection takes, and more when told so. */
  async after<T>(running: Promise<T>, forMs = 10): Promise<T> {
    running.catch(() => {}); // the caller sees it
    await this.clock.advance(forMs);
    return running;
  }

  /** Does work of the fake backend that takes no time. */
  finish<T>(work: Work<T>, caller: IsolationCaller = ALICE, options: RunOptions = {}): Promise<T> {
    return this.after(this.run(work, caller, options));
  }

  async openSession(caller: IsolationCaller = ALICE, connections = 1): Promise<IsolationCaller> {
    const { id } = await this.after(this.sessions.manager.open(caller, { connections: { fake: connections } }));
    return { ...caller, session: id };
  }

  /** Begins the shutdown of the app. */
  close(): Promise<void> {
    const closing = this.#module?.close() ?? Promise.resolve();
    closing.catch(() => {}); // the caller sees it
    return closing;
  }

  #get<T>(type: abstract new (...args: never[]) => T): T {
    if (this.#module === undefined) {
      throw new Error('the world has no module');
    }
    return this.#module.get(type);
  }

  async #write(records: readonly LogRecord[]): Promise<void> {
    if (this.sinkFailure !== undefined) {
      throw this.sinkFailure;
    }
    this.records.push(...records);
  }
}
