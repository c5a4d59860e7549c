import { describe, expect, it } from '@jest/globals';
import { fitSettings, type Backend } from './settings-file.js';

const ON = new Set<Backend>(['postgres']);

function poolsOf(connection_pools: unknown): unknown {
  return fitSettings({ isolation_level: 'namespace', connection_pools }, ON);
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

  it.each([[undefined], ['text'], [[]], [{ connection_pools: [] }], [{ connection_pools: { postgres: 5 } }]])(
    'leaves %j as it is',
    (settings) => {
      expect(fitSettings(settings, ON)).toEqual(settings);
    },
  );
});
