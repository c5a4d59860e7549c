import { describe, expect, it } from '@jest/globals';
import { parseNamespacePattern, parsePoolName } from '@palisade/domain';
import { LiveDestinations } from './live-destinations.js';

const STANDARD = parsePoolName('standard');
const PREMIUM = parsePoolName('premium');

function filled(count: number): LiveDestinations {
  const live = new LiveDestinations();
  for (let at = 0; at < count; at += 1) {
    live.set(parseNamespacePattern(`t${at}`), STANDARD);
  }
  return live;
}

describe(LiveDestinations.name, () => {
  it('sorts patterns by shape', async () => {
    const live = new LiveDestinations();
    ['acme', 'acme-*', '*-eu', '*'].forEach((text) => live.set(parseNamespacePattern(text), STANDARD));
    expect(await live.copy(() => 7)).toEqual({
      exact: new Map([['acme', 'standard']]),
      prefixes: new Map([
        ['acme-', 'standard'],
        ['', 'standard'],
      ]),
      wildcards: new Map([['*-eu', 'standard']]),
      moment: 7,
    });
  });

  it('does not change a copy that was made', async () => {
    const live = filled(1);
    const copy = await live.copy(() => undefined);
    live.set(parseNamespacePattern('t0'), PREMIUM);
    expect(copy.exact.get('t0')).toBe('standard');
  });

  it('lets others have their turn while it copies', async () => {
    const order: string[] = [];
    const copying = filled(20_000).copy(() => order.push('copied'));
    setImmediate(() => order.push('another'));
    await copying;
    expect(order).toEqual(['another', 'copied']);
  });

  it('copies the moment of its end, whatever changed since its beginning', async () => {
    const live = filled(20_000);
    const copying = live.copy(() => 'end');
    setImmediate(() => {
      live.set(parseNamespacePattern('t0'), PREMIUM);
      live.delete(parseNamespacePattern('t1'));
      live.delete(parseNamespacePattern('t19999'));
      live.set(parseNamespacePattern('new'), PREMIUM);
    });
    const { exact } = await copying;
    expect([exact.get('t0'), exact.has('t1'), exact.has('t19999'), exact.get('new'), exact.size]).toEqual([
      'premium',
      false,
      false,
      'premium',
      19_999,
    ]);
  });
});
