import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type IsolationLevel, type NamespaceId, type TenantPolicy } from '@palisade/domain';
import * as fc from 'fast-check';
import type { FakeConnection } from '../test/support/fake-driver.js';
import { IsolationWorld } from '../test/support/isolation-world.js';
import { settled } from '../test/support/virtual-clock.js';
import { Isolation } from './isolation.js';
import type { IsolationCaller } from './running/connection-source.js';
import type { SessionId } from './sessions/session-id.js';
import { runs } from '../../../test/support/effort.js';

const NAMES = ['red', 'green', 'blue'].map(parseNamespaceId);
/** Connections may be reserved for it. */
const RED = parseNamespaceId('red');
const CAP = 4;
const ACQUIRE_TIMEOUT_MS = 500;
const SESSION_TIMEOUT_MS = 2000;

/** Codes that work may be rejected with because of what was done to the world. */
const EXPECTED = new Set([
  'POOL_TIMEOUT',
  'SESSION_REQUIRED',
  'SESSION_NOT_FOUND',
  'SESSION_ENDED',
  'SESSION_LIMIT',
  'ISOLATION_LEVEL',
  'NAMESPACE_NOT_SERVED',
]);

interface Terms {
  /** By namespace; undefined where no tenant has it. */
  readonly levels: readonly (IsolationLevel | undefined)[];
  /** Namespaces belong to other tenants in another one. */
  readonly generation: number;
  readonly max: number;
  readonly reserved: number;
  readonly cap: number;
}

interface Job {
  readonly caller: IsolationCaller;
  readonly connection: FakeConnection;
  readonly end: () => void;
}

/** An isolation module whose policy changes, what is under way in it, and what must always hold. */
class GovernedWorld {
  readonly violations: string[] = [];
  readonly running = new Set<Job>();
  readonly waiting = new Set<{ readonly caller: IsolationCaller }>();
  readonly sessions: IsolationCaller[] = [];
  readonly levels = new Map<NamespaceId, IsolationLevel>();
  readonly #tenants = new Map<NamespaceId, string>();
  /** Who has ever had a connection: a namespace, everybody, or a session. */
  readonly #owners = new Map<FakeConnection, string>();
  #pending = 0;
  #revision = 0;
  #cap = CAP;
  #part = Infinity;
  #max = CAP;
  #reserved = 0;

  constructor(readonly world: IsolationWorld) {
    world.driver.onConnect = (namespace) => this.#checkConnect(namespace);
  }

  get pending(): number {
    return this.#pending;
  }

  apply({ levels, generation, max, reserved, cap }: Terms): void {
    this.levels.clear();
    this.#tenants.clear();
    const tenants: TenantPolicy[] = [];
    for (const [index, name] of NAMES.entries()) {
      const level = levels[index];
      if (level !== undefined) {
        const tenant_id = `${name}-${generation}`;
        this.levels.set(name, level);
        this.#tenants.set(name, tenant_id);
        const connection_pools = { fake: { connections_per_namespace: Math.min(max, cap) } };
        tenants.push({ tenant_id, namespaces: [name], isolation_level: level, connection_pools });
      }
    }
    this.#cap = cap;
    this.#max = Math.min(max, cap);
    this.#reserved = Math.min(reserved, cap);
    this.world.policy.apply({
      revision: ++this.#revision,
      configuration: 'c',
      pool: 'standard',
      tenants,
      settings: {
        connection_pools: {
          fake: { max_total_connections: cap, namespaces: { red: { reserved_connections: this.#reserved } } },
        },
      },
    });
  }

  resize(part: number): void {
    this.#part = part;
    this.world.isolation.setCap('fake', part);
  }

  run(caller: IsolationCaller): void {
    const place = { caller };
    this.waiting.add(place);
    this.#follow(
      this.world.run(async ({ connection, context }) => {
        this.waiting.delete(place);
        const { promise, resolve } = Promise.withResolvers<void>();
        const job = { caller, connection, end: resolve };
        this.#checkStart(job);
        this.running.add(job);
        context.signal.addEventListener('abort', () => resolve());
        await promise;
        this.running.delete(job);
      }, caller),
      () => this.waiting.delete(place),
    );
  }

  open(namespace: NamespaceId): void {
    const owner = { namespace, clientId: 'ann' };
    const opening = this.world.sessions.manager.open(owner);
    this.#follow(opening.then(({ id }) => void this.sessions.push({ ...owner, session: id })));
  }

  close(caller: IsolationCaller): void {
    this.sessions.splice(this.sessions.indexOf(caller), 1);
    this.#follow(this.world.sessions.manager.end(caller.session as SessionId, caller));
  }

  check(): void {
    expect(this.violations).toEqual([]);
    const [snapshot] = this.world.pools.snapshots();
    const { active = 0, idle = 0, opening = 0, closing = 0 } = snapshot ?? {};
    expect(active + idle + opening + closing).toBe(this.world.driver.total);
    const isBeyondCap = active + idle + opening > Math.min(this.#cap, this.#part);
    // What is idle in a reserved slot stays: leased connections without one have to go instead.
    const [ofRed] = this.world.pools.find(RED);
    const reservedIdle = Math.min(ofRed?.idle ?? 0, this.#reserved);
    expect(isBeyondCap ? idle - reservedIdle : 0).toBe(0);
    for (const name of NAMES) {
      const [own] = this.world.pools.find(name);
      const held = own === undefined ? 0 : own.active + own.idle + own.opening;
      expect([name, held > this.#maxOf(name) ? own?.idle : 0]).toEqual([name, 0]);
      expect([name, this.levels.get(name) === 'namespace' ? 0 : (own?.idle ?? 0)]).toEqual([name, 0]);
      const isUnserved = !this.levels.has(name);
      expect([name, isUnserved ? (own?.queued ?? 0) : 0]).toEqual([name, 0]);
    }
    for (const { caller } of this.waiting) {
      const level = caller.session === undefined ? this.levels.get(caller.namespace) : 'none';
      expect([caller.namespace, level]).toEqual([caller.namespace, expect.stringMatching(/none|namespace/)]);
    }
    for (const session of this.world.sessions.manager.sessions()) {
      expect([session.namespace, this.levels.has(session.namespace) || session.signal.aborted]).toEqual([
        session.namespace,
        true,
      ]);
    }
  }

  #maxOf(namespace: NamespaceId): number {
    return namespace === RED ? Math.max(this.#reserved, this.#max) : this.#max;
  }

  /** No connection is opened beyond the cap, what its namespace may have, or what is left beside the reservation. */
  #checkConnect(namespace: NamespaceId): void {
    const { sockets, total } = this.world.driver;
    const cap = Math.min(this.#cap, this.#part);
    const spare = namespace === RED ? 0 : Math.max(0, this.#reserved - (sockets.get(RED) ?? 0));
    if (total + spare > cap) {
      this.violations.push(`a connection of ${namespace} is opened beyond the cap, or in a reserved slot`);
    }
    if (NAMES.includes(namespace) && (sockets.get(namespace) ?? 0) > this.#maxOf(namespace)) {
      this.violations.push(`${namespace} has more connections than it may have`);
    }
  }

  #follow(doing: Promise<unknown>, onEnd = (): unknown => undefined): void {
    this.#pending++;
    void doing.finally(onEnd).then(
      () => this.#pending--,
      (error: unknown) => {
        this.#pending--;
        const { code } = error as { readonly code?: string };
        if (!EXPECTED.has(code ?? '')) {
          this.violations.push(`rejected with ${String(error)}`);
        }
      },
    );
  }

  /** What a connection was once used as, it is for ever; and nothing begins at a weaker level than is in force. */
  #checkStart({ caller: { namespace, session }, connection }: Job): void {
    const level = this.levels.get(namespace);
    const owner = session ?? (level === 'none' ? 'everybody' : namespace);
    const before = this.#owners.get(connection) ?? owner;
    this.#owners.set(connection, owner);
    const isTaken = [...this.running].some((other) => other.connection === connection);
    const flaws = {
      [`has a connection of ${before}`]: before !== owner,
      'has a connection that another has at the same time': isTaken,
      'is served without a session': level === 'session' && session === undefined,
      'is served although it belongs to nobody': level === undefined,
      'has a connection that was made for another namespace':
        connection.namespace !== (owner === 'everybody' ? '*' : namespace),
      'has a connection that was made for another tenant':
        owner !== 'everybody' && connection.tenantId !== this.#tenants.get(namespace),
      'has a connection that is closed': connection.isClosed,
    };
    this.violations.push(
      ...Object.entries(flaws).flatMap(([flaw, isPresent]) => (isPresent ? [`work for ${namespace} ${flaw}`] : [])),
    );
  }
}

class Command implements fc.AsyncCommand<GovernedWorld, GovernedWorld> {
  constructor(
    private readonly name: string,
    private readonly act: (world: GovernedWorld) => unknown,
  ) {}

  check(): boolean {
    return true;
  }

  async run(_: GovernedWorld, world: GovernedWorld): Promise<void> {
    await this.act(world);
    await settled();
    world.check();
  }

  toString(): string {
    return this.name;
  }
}

const namespaces = fc.constantFrom(...NAMES);
const levels = fc.array(fc.constantFrom<(IsolationLevel | undefined)[]>('none', 'namespace', 'session', undefined), {
  minLength: NAMES.length,
  maxLength: NAMES.length,
});

function pick<T>(all: Iterable<T>, index: number): T | undefined {
  const list = [...all];
  return list[index % list.length];
}

const COMMANDS = [
  namespaces.map((namespace) => new Command(`run(${namespace})`, (world) => world.run({ namespace, clientId: 'ann' }))),
  namespaces.map(
    (namespace) =>
      new Command(`flood(${namespace})`, (world) => {
        for (let count = 0; count < 5; count++) {
          world.run({ namespace, clientId: 'ann' });
        }
      }),
  ),
  namespaces.map((namespace) => new Command(`open session(${namespace})`, (world) => world.open(namespace))),
  fc.nat(9).map(
    (index) =>
      new Command(`run in session(${index})`, (world) => {
        const session = pick(world.sessions, index);
        return session && world.run(session);
      }),
  ),
  fc.nat(9).map(
    (index) =>
      new Command(`end session(${index})`, (world) => {
        const session = pick(world.sessions, index);
        return session && world.close(session);
      }),
  ),
  fc.nat(9).map((index) => new Command(`end work(${index})`, (world) => pick(world.running, index)?.end())),
  fc
    .record<Terms>({
      levels,
      generation: fc.nat(1),
      max: fc.integer({ min: 1, max: 4 }),
      reserved: fc.nat(2),
      cap: fc.integer({ min: 1, max: 6 }),
    })
    .map((terms) => new Command(`apply(${JSON.stringify(terms)})`, (world) => world.apply(terms))),
  fc.nat(6).map((part) => new Command(`resize(${part})`, (world) => world.resize(part))),
  fc
    .constantFrom(0, 1, 5, 10, 60, ACQUIRE_TIMEOUT_MS, SESSION_TIMEOUT_MS)
    .map((ms) => new Command(`advance(${ms})`, ({ world }) => world.clock.advance(ms))),
];

const OPEN_TO_ALL: Terms = { levels: NAMES.map(() => 'namespace'), generation: 0, max: CAP, reserved: 0, cap: CAP };

async function createWorld(): Promise<GovernedWorld> {
  const settings = {
    isolation_level: 'namespace',
    connection_pools: {
      fake: { max_total_connections: CAP, acquire_timeout: `${ACQUIRE_TIMEOUT_MS}ms`, idle_timeout: '1s' },
    },
    session_management: { session_timeout: `${SESSION_TIMEOUT_MS}ms`, max_sessions: 5, max_sessions_per_client: 5 },
  };
  const world = new GovernedWorld(await IsolationWorld.create(settings, { proxyPool: 'standard' }));
  world.apply({ ...OPEN_TO_ALL, levels: ['none', 'namespace', 'session'] });
  return world;
}

/** Ends all work and gives everybody what they wait for, until nothing is left. */
async function comeToRest(world: GovernedWorld): Promise<void> {
  world.resize(CAP);
  for (let rounds = 0; world.pending > 0 && rounds < 50; rounds++) {
    world.running.forEach(({ end }) => end());
    await world.world.clock.advance(100);
    world.check();
  }
  expect(world.pending).toBe(0);
  await world.world.clock.advance(3 * SESSION_TIMEOUT_MS);
  expect(world.world.sessions.manager.snapshot().sessions).toBe(0);
  expect(world.world.pools.snapshots()).toMatchObject([{ active: 0, opening: 0, closing: 0, queued: 0 }]);
}

/** Nothing is lost of the cap: as many as it allows are served at once, after all that has happened. */
async function serveAll(world: GovernedWorld): Promise<void> {
  world.apply(OPEN_TO_ALL);
  const callers = [RED, ...NAMES].map((namespace) => ({ namespace, clientId: 'ann' }));
  callers.forEach((caller) => world.run(caller));
  await world.world.clock.advance(ACQUIRE_TIMEOUT_MS - 1);
  world.check();
  expect(world.running.size).toBe(CAP);
  await comeToRest(world);
}

describe(Isolation.name, () => {
  it('keeps its promises whatever the policy says, and whenever', async () => {
    const property = fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 50, size: 'max' }), async (commands) => {
      const world = await createWorld();
      await fc.asyncModelRun(() => ({ model: world, real: world }), commands);
      await comeToRest(world);
      await serveAll(world);
      const closing = world.world.close();
      await world.world.clock.advance(60_000);
      await closing;
      expect([world.world.driver.total, world.violations]).toEqual([0, []]);
    });
    await fc.assert(property, { numRuns: runs(40), timeout: 20_000 });
  });
});
