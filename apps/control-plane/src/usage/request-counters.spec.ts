import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parsePoolName, parseTenantId } from '@palisade/domain';
import { RequestCounters } from './request-counters.js';
import { UsageSum } from './usage-sum.js';

const ACME = parseTenantId('acme');
const POOL = parsePoolName('standard');

/** Reports of proxies on one namespace, each with requests and errors since the proxy started. */
function reported(name: string, ...proxies: readonly (readonly [requests: number, errors: number])[]) {
  const sum = new UsageSum();
  for (const [requests, errors] of proxies) {
    sum.add({ sessions: 0, connections: {}, requests, errors, rejected: {} });
  }
  return { namespace: parseNamespaceId(name), pool: POOL, sum };
}

describe(RequestCounters, () => {
  it.each([
    ['counts what is added', [reported('a', [10, 1])], [reported('a', [15, 3])], { requests: 5, errors: 2 }],
    ['counts nothing of a first report', [], [reported('a', [1000, 9])], { requests: 0, errors: 0 }],
    [
      'counts nothing when a proxy starts again',
      [reported('a', [10, 1])],
      [reported('a', [3, 0])],
      { requests: 0, errors: 0 },
    ],
    [
      'counts nothing when a proxy comes',
      [reported('a', [10, 1])],
      [reported('a', [11, 1], [900, 8])],
      { requests: 0, errors: 0 },
    ],
    [
      'adds up namespaces',
      [reported('a', [1, 0]), reported('b', [1, 0])],
      [reported('a', [3, 1]), reported('b', [5, 0])],
      { requests: 6, errors: 1 },
    ],
  ])('%s', (_, first, second, counted) => {
    const counters = new RequestCounters();
    counters.take(first, () => ACME);
    counters.take(second, () => ACME);
    expect(counters.of(ACME)).toEqual(counted);
  });

  it('forgets who is not reported any more', () => {
    const counters = new RequestCounters();
    counters.take([reported('a', [1, 0])], () => ACME);
    counters.take([reported('a', [5, 0])], () => ACME);
    counters.take([], () => ACME);
    expect(counters.of(ACME)).toEqual({ requests: 0, errors: 0 });
  });

  it('counts nothing for a namespace that has no tenant', () => {
    const counters = new RequestCounters();
    counters.take([reported('a', [1, 0])], () => undefined);
    counters.take([reported('a', [5, 0])], () => undefined);
    expect(counters.of(ACME)).toEqual({ requests: 0, errors: 0 });
  });
});
