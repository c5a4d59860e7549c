import { describe, expect, it } from '@jest/globals';
import type { NamespaceId } from '@palisade/domain';
import * as fc from 'fast-check';
import { FakeDriver, type FakeConnection } from '../../test/support/fake-driver.js';
import { NAMESPACES } from '../../test/support/pool-world.js';
import { settled, VirtualClock } from '../../test/support/virtual-clock.js';
import { MultiplexingDriver } from './multiplexing-driver.js';
import { runs } from '../../../../test/support/effort.js';

/** One who connects, and what became of that. */
interface User {
  readonly namespace: NamespaceId;
  readonly controller: AbortController;
  state: 'waiting' | 'connected' | 'failed' | 'closed';
  connection?: FakeConnection;
  timesTold: number;
}

/** A driver under a virtual clock, all who have ever connected, and what must always hold. */
class World {
  readonly clock = new VirtualClock();
  readonly driver = new FakeDriver({ clock: this.clock, connectMs: 5, closeMs: 3 });
  readonly shared = new MultiplexingDriver<FakeConnection>(this.driver);
  readonly users: User[] = [];
  /** Connections that have ended by themselves. */
  readonly lost = new Set<FakeConnection>();

  in(state: User['state']): User[] {
    return this.users.filter((user) => user.state === state);
  }

  connect(namespace: NamespaceId): void {
    const user: User = { namespace, controller: new AbortController(), state: 'waiting', timesTold: 0 };
    this.users.push(user);
    void this.#await(user);
  }

  async #await(user: User): Promise<void> {
    try {
      user.connection = await this.shared.connect(user.namespace, user.controller.signal);
      user.state = 'connected';
      this.shared.onLost(user.connection, () => user.timesTold++);
    } catch {
      user.state = 'failed';
    }
  }

  close(user: User): void {
    if (user.connection !== undefined) {
      user.state = 'closed';
      void this.shared.close(user.connection);
    }
  }

  lose(connection: FakeConnection): void {
    this.lost.add(connection);
    connection.lose();
  }

  check(): void {
    for (const namespace of NAMESPACES) {
      const corpses = [...this.driver.connections].filter((one) => one.namespace === namespace && this.lost.has(one));
      expect((this.driver.sockets.get(namespace) ?? 0) - corpses.length).toBeLessThanOrEqual(1);
    }
    for (const { namespace, connection, timesTold } of this.in('connected')) {
      expect(connection?.namespace).toBe(namespace);
      expect(connection?.isClosed).toBe(false);
      expect(timesTold).toBe(connection !== undefined && this.lost.has(connection) ? 1 : 0);
    }
    const had = new Set(this.in('connected').map(({ connection }) => connection));
    const kept = [...this.driver.connections].filter((connection) => !connection.isClosed);
    if (this.in('waiting').length === 0) {
      expect(new Set(kept)).toEqual(had);
    }
  }
}

type Act = (world: World) => unknown;

const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];

const COMMANDS: fc.Arbitrary<{ name: string; act: Act }>[] = [
  fc
    .constantFrom(...NAMESPACES)
    .map((namespace) => ({ name: `connect(${namespace})`, act: (world) => world.connect(namespace) })),
  fc.nat(20).map((index) => ({
    name: `close(${index})`,
    act: (world) => {
      const user = pick(world.in('connected'), index);
      return user && world.close(user);
    },
  })),
  fc.nat(20).map((index) => ({
    name: `abort(${index})`,
    act: (world) => pick(world.in('waiting'), index)?.controller.abort(new Error('gone')),
  })),
  fc.nat(20).map((index) => ({
    name: `lose(${index})`,
    act: (world) => {
      const connection = pick(world.in('connected'), index)?.connection;
      return connection !== undefined && !world.lost.has(connection) && world.lose(connection);
    },
  })),
  fc.boolean().map((isFailing) => ({
    name: `fail(${isFailing})`,
    act: ({ driver }) => {
      driver.failure = isFailing ? () => new Error('rejected') : undefined;
    },
  })),
  fc.constantFrom(0, 1, 3, 5, 10).map((ms) => ({ name: `advance(${ms})`, act: ({ clock }) => clock.advance(ms) })),
];

const SCRIPTS = fc.array(fc.oneof(...COMMANDS), { maxLength: 60 });

describe(MultiplexingDriver.name, () => {
  it('keeps its promises whatever is done in whatever order', async () => {
    const property = fc.asyncProperty(SCRIPTS, async (script) => {
      const world = new World();
      for (const { act } of script) {
        await act(world);
        await settled();
        world.check();
      }
      world.driver.failure = undefined;
      await world.clock.advance(20);
      expect(world.in('waiting')).toEqual([]);
      for (const user of world.in('connected')) {
        world.close(user);
      }
      await world.clock.advance(20);
      expect([world.driver.total, world.driver.connections.size, world.clock.timers]).toEqual([0, 0, 0]);
    });
    await fc.assert(property, { numRuns: runs(150), timeout: 5_000 });
  });
});
