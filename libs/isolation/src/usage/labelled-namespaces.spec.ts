import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { array, assert, boolean, constantFrom, nat, property, record } from 'fast-check';
import { LabelledNamespaces } from './labelled-namespaces.js';
import type { NamespaceUsage } from './namespace-usage.js';

interface Counted {
  requests: number;
  rate?: number;
}

function usageOf(namespace: NamespaceId, { requests, rate = 0 }: Counted): NamespaceUsage {
  return {
    namespace,
    requests,
    errors: 0,
    aborted: 0,
    rejections: {},
    rowsAccessed: 0,
    cpuSeconds: 0,
    connections: [],
    requestsPerSecond: rate,
    queued: 0,
    bytesHeld: 0,
    alerts: [],
  };
}

/** Requests by label, as they would be scraped. */
function scrape(labels: LabelledNamespaces, counts: Record<string, Counted>, allRequests?: number) {
  const usages = Object.entries(counts).map(([name, counted]) => usageOf(parseNamespaceId(name), counted));
  const requests = allRequests ?? usages.reduce((sum, usage) => sum + usage.requests, 0);
  const { labelled, otherTotals } = labels.update(usages, usageOf(parseNamespaceId('all'), { requests }));
  const series = labelled.map(({ usage, totals }) => [usage.namespace, totals.get('requests')]);
  return Object.fromEntries([...series, ['_other', otherTotals.get('requests')]]);
}

describe(LabelledNamespaces.name, () => {
  it('labels the busiest, and counts the others together', () => {
    const labels = new LabelledNamespaces(2);
    const counts = { acme: { requests: 5, rate: 1 }, bolt: { requests: 9, rate: 3 }, core: { requests: 7, rate: 2 } };
    expect(scrape(labels, counts)).toEqual({ bolt: 9, core: 7, _other: 5 });
  });

  it('lets a label be while no other is clearly busier', () => {
    const labels = new LabelledNamespaces(1);
    scrape(labels, { acme: { requests: 5, rate: 1 } });
    expect(scrape(labels, { acme: { requests: 6, rate: 1 }, bolt: { requests: 9, rate: 2 } })).toEqual({
      acme: 6,
      _other: 9,
    });
  });

  it('gives a label to one that is clearly busier, whose total then begins where it was', () => {
    const labels = new LabelledNamespaces(1);
    scrape(labels, { acme: { requests: 5, rate: 2 }, bolt: { requests: 1, rate: 1 } });
    expect(scrape(labels, { acme: { requests: 5, rate: 1 }, bolt: { requests: 9, rate: 3 } })).toEqual({
      bolt: 0,
      _other: 9,
    });
    expect(scrape(labels, { acme: { requests: 7, rate: 1 }, bolt: { requests: 12, rate: 3 } })).toEqual({
      bolt: 3,
      _other: 11,
    });
  });

  it('gives the label of a forgotten namespace to another', () => {
    const labels = new LabelledNamespaces(1);
    scrape(labels, { acme: { requests: 5, rate: 1 } });
    expect(scrape(labels, { bolt: { requests: 3 } }, 8)).toEqual({ bolt: 3, _other: 0 });
  });

  it('begins again with a namespace that was forgotten and has come back', () => {
    const labels = new LabelledNamespaces(1);
    scrape(labels, { acme: { requests: 5, rate: 1 } });
    expect(scrape(labels, { acme: { requests: 1, rate: 1 } }, 6)).toEqual({ acme: 0, _other: 1 });
  });

  it('never decreases what was counted without a label, and makes no more labels, whatever namespaces do', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const step = array(record({ name: constantFrom(...names), by: nat(9), isForgotten: boolean() }));
    assert(
      property(array(step, { maxLength: 20 }), (scrapes) => {
        const labels = new LabelledNamespaces(2);
        const counts: Record<string, Counted> = {};
        let all = 0;
        let before: Record<string, number> = {};
        for (const changes of scrapes) {
          for (const { name, by, isForgotten } of changes) {
            counts[name] = { requests: (isForgotten ? 0 : (counts[name]?.requests ?? 0)) + by, rate: by };
            all += by;
          }
          const after = scrape(labels, counts, all);
          expect(after['_other']).toBeGreaterThanOrEqual(before['_other'] ?? 0);
          expect(Object.keys(after).length).toBeLessThanOrEqual(3);
          before = after;
        }
      }),
      { numRuns: 200 },
    );
  });
});
