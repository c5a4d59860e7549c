import { describe, expect, it } from '@jest/globals';
import { fitSettings, type Backend } from './fit-settings.js';

const ON = new Set<Backend>(['postgres']);

function poolsOf(connection_pools: unknown, replicas = 1): unknown {
  return fitSettings({ isolation_level: 'namespace', connection_pools }, ON, replicas);
}

describe(fitSettings.name, () => {
  it('leaves out the backends that are off', () => {
    expect(poolsOf({ postgres: { max_connections: 4 }, redis: { max_connections: 4 } })).toEqual({
      isolation_level: 'namespace',
      connection_pools: { postgres: { max_connections: 4 } },
    });
  });

  it('keeps what is no backend, so that it is reported', () => {
    expect(poolsOf({ postgresql: { max_connections: 4 } })).toMatchObject({
      connection_pools: { postgresql: { max_connections: 4 } },
    });
  });

  it('divides caps by the replicas, rounding down, and never below 1', () => {
    const pool = { max_total_connections: 20, connections_per_namespace: 5 };
    expect([3, 8, 50].map((replicas) => poolsOf({ postgres: pool }, replicas))).toEqual([
      expect.objectContaining({
        connection_pools: { postgres: { max_total_connections: 6, connections_per_namespace: 5 } },
      }),
      expect.objectContaining({
        connection_pools: { postgres: { max_total_connections: 2, connections_per_namespace: 2 } },
      }),
      expect.objectContaining({
        connection_pools: { postgres: { max_total_connections: 1, connections_per_namespace: 1 } },
      }),
    ]);
  });

  it('leaves a contradiction in, so that it is reported', () => {
    const pool = { max_total_connections: 4, connections_per_namespace: 5 };
    expect(poolsOf({ postgres: pool }, 2)).toMatchObject({
      connection_pools: { postgres: { max_total_connections: 2, connections_per_namespace: 5 } },
    });
  });

  it.each([[undefined], ['text'], [[]], [{ connection_pools: [] }], [{ connection_pools: { postgres: 5 } }]])(
    'leaves %j as it is',
    (settings) => {
      expect(fitSettings(settings, ON, 2)).toEqual(settings);
    },
  );
});
