import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { PoolWorld } from '../../test/support/pool-world.js';
import type { FakeConnection } from '../../test/support/fake-driver.js';
import { Lease } from './lease.js';

const RED = parseNamespaceId('red');

async function acquire(): Promise<{ readonly world: PoolWorld; readonly lease: Lease<FakeConnection> }> {
  const world = new PoolWorld({ maxTotal: 2 });
  const acquiring = world.pools.acquire(RED);
  await world.clock.advance(5);
  return { world, lease: await acquiring };
}

describe(Lease.name, () => {
  it('goes back at the end of its block', async () => {
    const { world, lease } = await acquire();
    {
      using leased = lease;
      void leased.connection;
    }
    expect(world.pools.find(RED)).toMatchObject({ active: 0, idle: 1 });
  });

  it('goes back once, however often it is released', async () => {
    const { world, lease } = await acquire();
    lease.release();
    using next = await world.pools.acquire(RED);
    lease.release();
    expect([next.connection.number, world.pools.find(RED)]).toEqual([
      1,
      expect.objectContaining({ active: 1, idle: 0 }),
    ]);
  });

  it('gives no connection once it was released', async () => {
    const { lease } = await acquire();
    lease.release();
    expect(() => lease.connection).toThrow('given back already');
  });
});
