import { describe, expect, it } from '@jest/globals';
import { mergeConnectionPools, settleConnectionSettings } from './connection-settings.js';

describe(settleConnectionSettings.name, () => {
  it('takes each value from the last layer that sets it', () => {
    const layers = [
      { from: 'file', pools: { redis: { connectionsPerNamespace: 3, maxTotalConnections: 100 } } },
      { from: 'rule', pools: { redis: { connectionsPerNamespace: 20 }, nats: { maxConnections: 7 } } },
      { from: 'tenant', pools: { nats: { maxConnections: 9 } } },
      { from: 'nobody', pools: undefined },
    ];
    expect(settleConnectionSettings(layers)).toEqual([
      { backend: 'redis', key: 'connectionsPerNamespace', value: 20, from: 'rule' },
      { backend: 'redis', key: 'maxTotalConnections', value: 100, from: 'file' },
      { backend: 'nats', key: 'maxConnections', value: 9, from: 'tenant' },
    ]);
  });
});

describe(mergeConnectionPools.name, () => {
  it('keeps what only one says and overrides what several say', () => {
    const merged = mergeConnectionPools(
      { redis: { connectionsPerNamespace: 3, perSessionLimit: 2 } },
      { redis: { connectionsPerNamespace: 20 }, kafka: { maxConnections: 1 } },
    );
    expect(merged).toEqual({
      redis: { connectionsPerNamespace: 20, perSessionLimit: 2 },
      kafka: { maxConnections: 1 },
    });
  });

  it('is empty when nobody says anything', () => {
    expect(mergeConnectionPools(undefined, {})).toEqual({});
  });
});
