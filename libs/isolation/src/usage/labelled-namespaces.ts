import type { NamespaceId } from '@palisade/domain';
import type { NamespaceUsage } from './namespace-usage.js';
import type { UsageTotals } from './usage-counters.js';

/** Totals by name, all of them whole numbers; rejections are `rejections/<code>`. */
export type Totals = ReadonlyMap<string, number>;

export interface LabelledUsages {
  /** The usage of each namespace that has a label, and its totals since it has it. */
  readonly labelled: readonly { readonly usage: NamespaceUsage; readonly totals: Totals }[];
  /** The usage of those that have none. */
  readonly others: readonly NamespaceUsage[];
  /** All totals that were counted without a label, or under one that was taken away since. */
  readonly otherTotals: Totals;
}

interface Label {
  /** What had been counted before it had the label. */
  readonly before: Totals;
  last: Totals;
}

/** So many times as busy must a namespace be as another to be given its label. */
const TAKEOVER_FACTOR = 2;

/**
 * Decides which namespaces have a label of their own, at most so many at a time. A label is kept while its namespace is
 * known, unless one without a label is clearly busier, so that metrics make few series over time. No total decreases,
 * whoever gets or loses a label.
 */
export class LabelledNamespaces {
  readonly #labels = new Map<NamespaceId, Label>();
  #known: ReadonlySet<NamespaceId> = new Set();
  #withdrawn: Totals = new Map();

  constructor(private readonly maxLabels: number) {}

  update(usages: readonly NamespaceUsage[], all: UsageTotals): LabelledUsages {
    const byName = new Map(usages.map((usage) => [usage.namespace, usage]));
    this.#withdrawFrom(byName);
    this.#assign(usages, byName);
    this.#known = new Set(byName.keys());
    const labelled = [...this.#labels].flatMap(([namespace, label]) => {
      const usage = byName.get(namespace);
      if (usage === undefined) {
        return [];
      }
      label.last = totalsOf(usage);
      return [{ usage, totals: combine(label.last, label.before, -1) }];
    });
    const counted = labelled.reduce((sum, { totals }) => combine(sum, totals, 1), this.#withdrawn);
    return {
      labelled,
      others: usages.filter(({ namespace }) => !this.#labels.has(namespace)),
      otherTotals: combine(totalsOf(all), counted, -1),
    };
  }

  /** Takes labels from namespaces that were forgotten, also from those that have come back since and count from 0. */
  #withdrawFrom(byName: ReadonlyMap<NamespaceId, NamespaceUsage>): void {
    for (const [namespace, { last }] of this.#labels) {
      const usage = byName.get(namespace);
      if (usage === undefined || usage.requests < (last.get('requests') ?? 0)) {
        this.#withdraw(namespace);
      }
    }
  }

  #assign(usages: readonly NamespaceUsage[], byName: ReadonlyMap<NamespaceId, NamespaceUsage>): void {
    const rateOf = (namespace: NamespaceId) => byName.get(namespace)?.requestsPerSecond ?? 0;
    const candidates = usages
      .filter(({ namespace }) => !this.#labels.has(namespace))
      .toSorted((a, b) => b.requestsPerSecond - a.requestsPerSecond || b.requests - a.requests);
    const holders = [...this.#labels.keys()].toSorted((a, b) => rateOf(a) - rateOf(b));
    for (const candidate of candidates) {
      if (this.#labels.size >= this.maxLabels) {
        const holder = holders.shift();
        if (holder === undefined || candidate.requestsPerSecond <= TAKEOVER_FACTOR * rateOf(holder)) {
          return;
        }
        this.#withdraw(holder);
      }
      this.#give(candidate);
    }
  }

  #give(usage: NamespaceUsage): void {
    const last = totalsOf(usage);
    const wasCounted = this.#known.has(usage.namespace);
    this.#labels.set(usage.namespace, { last, before: wasCounted ? last : new Map() });
  }

  #withdraw(namespace: NamespaceId): void {
    const label = this.#labels.get(namespace);
    if (label !== undefined) {
      this.#labels.delete(namespace);
      this.#withdrawn = combine(this.#withdrawn, combine(label.last, label.before, -1), 1);
    }
  }
}

function totalsOf({ requests, errors, aborted, rowsAccessed, cpuSeconds, rejections }: UsageTotals): Totals {
  const reasons = Object.entries(rejections).map(([code, count]): [string, number] => [`rejections/${code}`, count]);
  const cpuMicros = Math.round(cpuSeconds * 1_000_000);
  return new Map([...Object.entries({ requests, errors, aborted, rowsAccessed, cpuMicros }), ...reasons]);
}

function combine(a: Totals, b: Totals, factor: 1 | -1): Totals {
  const result = new Map(a);
  for (const [name, count] of b) {
    result.set(name, (result.get(name) ?? 0) + factor * count);
  }
  return result;
}
