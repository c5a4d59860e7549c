import { describe, expect, it } from '@jest/globals';
import type { NamespaceId } from '@palisade/domain';
import * as fc from 'fast-check';
import { NAMESPACES, PoolWorld, type Acquisition, type WorldOptions } from '../../test/support/pool-world.js';
import { settled } from '../../test/support/virtual-clock.js';
import { NamespacePools } from './namespace-pools.js';
import { NamespaceRejectedError } from './pool.errors.js';
import { runs } from '../../../../test/support/effort.js';

const ACQUIRE_TIMEOUT_MS = 500;
const IDLE_TIMEOUT_MS = 1000;

/** Only what decides which commands make sense; what must hold is checked in the world. */
interface Model {
  readonly world: PoolWorld;
}

/** Does something to the world, then checks all that must hold. */
class Command implements fc.AsyncCommand<Model, PoolWorld> {
  constructor(
    private readonly name: string,
    private readonly act: (world: PoolWorld) => unknown,
    private readonly isPossible: (world: PoolWorld) => boolean = () => true,
  ) {}

  check({ world }: Readonly<Model>): boolean {
    return this.isPossible(world);
  }

  async run(_: Model, world: PoolWorld): Promise<void> {
    await this.act(world);
    await settled();
    world.check();
  }

  toString(): string {
    return this.name;
  }
}

const namespaces = fc.constantFrom(...NAMESPACES);

/** Something to do with one of the acquisitions that are in a state. */
function withOne(name: string, state: Acquisition['state'], act: (world: PoolWorld, chosen: Acquisition) => unknown) {
  return fc.nat(20).map(
    (index) =>
      new Command(
        `${name}(${index})`,
        (world) => {
          const candidates = world.in(state);
          const chosen = candidates[index % candidates.length];
          return chosen && act(world, chosen);
        },
        (world) => world.in(state).length > 0,
      ),
  );
}

function breakConnection({ lease }: Acquisition): void {
  if (lease !== undefined) {
    lease.connection.isBroken = true;
  }
}

function loseIdle(world: PoolWorld, index: number): void {
  const idle = [...world.driver.connections].filter(
    (connection) => !connection.isClosed && !world.in('leased').some(({ lease }) => lease?.connection === connection),
  );
  idle[index % idle.length]?.lose();
}

/** A number for each namespace. */
const limits = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: NAMESPACES.length, maxLength: NAMESPACES.length });

function limitsWithin(maxTotal: number, max: number[], reserved: number[], weight: number[]) {
  let unreserved = maxTotal;
  const namespaces = NAMESPACES.map((namespace, index) => {
    const own = Math.min(reserved[index] ?? 0, unreserved, 2);
    unreserved -= own;
    return [
      namespace,
      { max: Math.max(1, own, max[index] ?? 1), reserved: own, weight: 1 + (weight[index] ?? 0) },
    ] as const;
  });
  return { maxTotal, maxPerNamespace: maxTotal, maxNamespaces: 1000, namespaces: new Map(namespaces) };
}

const COMMANDS = [
  namespaces.map((namespace) => new Command(`acquire(${namespace})`, (world) => world.acquire(namespace))),
  namespaces.map((namespace) => new Command(`flood(${namespace})`, (world) => flood(world, namespace))),
  fc
    .tuple(namespaces, fc.constantFrom(undefined, { user: 'ann' }))
    .map(
      ([namespace, credentials]) =>
        new Command(`acquire own(${namespace})`, (world) => world.acquireOwn(namespace, credentials)),
    ),
  fc.array(namespaces, { maxLength: 3 }).map(
    (unpooled) =>
      new Command(`share no connections(${unpooled})`, (world) => {
        world.unpooled.clear();
        unpooled.forEach((namespace) => world.unpooled.add(namespace));
        world.pools.refresh();
      }),
  ),
  fc
    .record({ maxTotal: fc.integer({ min: 1, max: 8 }), max: limits, reserved: limits, weight: limits })
    .map(
      ({ maxTotal, max, reserved, weight }) =>
        new Command(`reconfigure(${maxTotal}, ${max}, ${reserved}, ${weight})`, (world) =>
          world.reconfigure({ ...world.options, ...limitsWithin(maxTotal, max, reserved, weight) }),
        ),
    ),
  withOne('release', 'leased', (world, chosen) => world.release(chosen)),
  withOne('release unusable', 'leased', (world, chosen) => world.release(chosen, { isUnusable: true })),
  withOne('release broken', 'leased', (world, chosen) => {
    breakConnection(chosen);
    world.release(chosen);
  }),
  withOne('abort', 'pending', (_, { controller }) => controller.abort()),
  fc.nat(20).map((index) => new Command(`lose idle(${index})`, (world) => loseIdle(world, index))),
  fc
    .constantFrom(0, 1, 3, 5, 10, 50, 100, ACQUIRE_TIMEOUT_MS, 2 * IDLE_TIMEOUT_MS)
    .map((ms) => new Command(`advance(${ms})`, (world) => world.clock.advance(ms))),
  fc
    .constantFrom('connection refused', 'wrong password', undefined)
    .map((message) => new Command(`fail(${message})`, (world) => fail(world, message))),
  fc.nat(6).map((cap) => new Command(`resize(${cap})`, (world) => world.pools.resize(world.withinCaps(cap)))),
  fc.boolean().map(
    (isFailing) =>
      new Command(`fail to clean(${isFailing})`, ({ driver }) => {
        driver.resetFailure = isFailing ? new Error('not clean') : undefined;
      }),
  ),
];

function flood(world: PoolWorld, namespace: NamespaceId): void {
  for (let count = 0; count < 4; count++) {
    world.acquire(namespace);
  }
}

function fail({ driver }: PoolWorld, message: string | undefined): void {
  const [red] = NAMESPACES;
  const isFailing = (namespace: NamespaceId) => message === 'connection refused' || namespace === red;
  const describe = (namespace: NamespaceId, cause: Error) =>
    message === 'wrong password' ? new NamespaceRejectedError(namespace, { cause }) : cause;
  driver.failure =
    message === undefined
      ? undefined
      : (namespace) => (isFailing(namespace) ? describe(namespace, new Error(message)) : undefined);
}

const WORLDS: fc.Arbitrary<WorldOptions> = fc
  .record({
    maxTotal: fc.integer({ min: 1, max: 6 }),
    maxPerNamespace: fc.integer({ min: 1, max: 6 }),
    reserved: fc.integer({ min: 0, max: 2 }),
    weight: fc.integer({ min: 1, max: 3 }),
    maxQueued: fc.constantFrom(0, 2, 100),
    maxOpening: fc.constantFrom(1, 16),
    resetMs: fc.constantFrom(undefined, 2),
    connectMs: fc.constantFrom(0, 5),
    closeMs: fc.constantFrom(0, 1),
  })
  .map(({ maxTotal, maxPerNamespace, reserved, weight, ...rest }) => {
    const max = Math.min(maxPerNamespace, maxTotal);
    const [, green, blue] = NAMESPACES;
    return {
      ...rest,
      maxTotal,
      maxPerNamespace: max,
      namespaces: new Map([
        ...(green === undefined ? [] : [[green, { weight }] as const]),
        ...(blue === undefined ? [] : [[blue, { reserved: Math.min(reserved, max) }] as const]),
      ]),
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
      connectTimeoutMs: 200,
      resetTimeoutMs: 100,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      maxLifetimeMs: 1500,
      maxBackoffMs: 200,
    };
  });

/** Lets go of everything and waits until nothing happens any more. */
async function comeToRest(world: PoolWorld): Promise<void> {
  world.driver.failure = undefined;
  world.driver.resetFailure = undefined;
  for (let held = world.in('leased'); held.length > 0 || world.in('pending').length > 0; held = world.in('leased')) {
    for (const acquisition of held) {
      world.release(acquisition);
    }
    await world.clock.advance(ACQUIRE_TIMEOUT_MS);
    world.check();
  }
  await world.clock.advance(3 * IDLE_TIMEOUT_MS);
}

function expectRest({ pools, driver, settings }: PoolWorld): void {
  const { active, idle, opening, closing, queued } = pools.snapshot();
  const reserved = [...(settings.namespaces?.values() ?? [])].reduce((sum, limits) => sum + (limits.reserved ?? 0), 0);
  expect({ active, opening, closing, queued }).toEqual({ active: 0, opening: 0, closing: 0, queued: 0 });
  expect(idle).toBeLessThanOrEqual(reserved);
  expect(driver.total).toBe(idle);
}

function expectNothingLeft({ pools, driver, clock }: PoolWorld): void {
  const { counters, ...snapshot } = pools.snapshot();
  expect(snapshot).toMatchObject({ state: 'destroyed', active: 0, idle: 0, opening: 0, closing: 0, namespaces: 0 });
  expect(counters.opened).toBe(counters.closed);
  expect(counters.opened + counters.failed).toBe(driver.attempts);
  expect(driver.total).toBe(0);
  expect(clock.timers).toBe(0);
}

describe(NamespacePools.name, () => {
  it('keeps its promises whatever is done in whatever order', async () => {
    const property = fc.asyncProperty(
      WORLDS,
      fc.commands(COMMANDS, { maxCommands: 60, size: 'max' }),
      async (options, commands) => {
        const world = new PoolWorld(options);
        await fc.asyncModelRun(() => ({ model: { world }, real: world }), commands);
        await comeToRest(world);
        expectRest(world);
        const ended = world.pools.drain(0);
        await world.clock.advance(10);
        await ended;
        expectNothingLeft(world);
      },
    );
    await fc.assert(property, { numRuns: runs(50), timeout: 30_000 });
  });

  it('lets go of everything when it is destroyed in the middle of anything', async () => {
    const property = fc.asyncProperty(
      WORLDS,
      fc.commands(COMMANDS, { maxCommands: 30, size: 'max' }),
      async (options, commands) => {
        const world = new PoolWorld(options);
        await fc.asyncModelRun(() => ({ model: { world }, real: world }), commands);
        const ended = world.pools.destroy();
        await world.clock.advance(10);
        await ended;
        for (const acquisition of world.in('leased')) {
          world.release(acquisition);
        }
        await settled();
        expect(world.in('pending')).toEqual([]);
        expectNothingLeft(world);
      },
    );
    await fc.assert(property, { numRuns: runs(50), timeout: 30_000 });
  });
});
