import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { PoolWorld } from '../../test/support/pool-world.js';
import { resolvePoolSettings } from './pool-options.js';
import type { PoolSettingsInput } from './pool-settings.js';

const RED = parseNamespaceId('red');
const GREEN = parseNamespaceId('green');

describe(resolvePoolSettings.name, () => {
  it('lets one namespace have the whole cap unless told otherwise', () => {
    expect(resolvePoolSettings({ maxTotal: 7 })).toMatchObject({ maxPerNamespace: 7, maxNamespaces: 1007 });
  });

  it.each<[string, PoolSettingsInput, string]>([
    ['a cap of none', { maxTotal: 0 }, 'maxTotal: expected an integer of at least 1, found 0'],
    ['more per namespace than the cap', { maxTotal: 1, maxPerNamespace: 2 }, 'expected at most the cap (1), found 2'],
    ['fewer namespaces than the cap', { maxTotal: 2, maxNamespaces: 1 }, 'expected at least the cap (2), found 1'],
    ['a time that no timer can wait', { maxTotal: 1, idleTimeoutMs: Infinity }, 'idleTimeoutMs: expected 0 to'],
    [
      'reservations beyond the cap',
      {
        maxTotal: 3,
        namespaces: new Map([
          [RED, { reserved: 2 }],
          [GREEN, { reserved: 2 }],
        ]),
      },
      'expected reservations of at most the cap (3) together, found 4',
    ],
    [
      'a reservation beyond the maximum',
      { maxTotal: 3, namespaces: new Map([[RED, { max: 1, reserved: 2 }]]) },
      'namespaces.red: expected integers with max >= 1, weight >= 1 and 0 <= reserved <= max',
    ],
    ['a weight of none', { maxTotal: 3, namespaces: new Map([[RED, { weight: 0 }]]) }, 'found max=3, weight=0'],
  ])('rejects %s', (_, settings, problem) => {
    expect(() => resolvePoolSettings(settings)).toThrow(problem);
  });

  it('reports all problems together', () => {
    expect(() => resolvePoolSettings({ maxTotal: 0, maxQueued: -1 })).toThrow(
      expect.objectContaining({ problems: expect.arrayContaining([expect.stringContaining('maxQueued')]) }),
    );
  });

  it('rejects limits of namespaces that share one pool', () => {
    const namespaces = new Map([[RED, { reserved: 1 }]]);
    expect(() => new PoolWorld({ maxTotal: 2, isShared: true, namespaces })).toThrow('all share one pool');
  });
});
