import type { CapDemand, CapPart } from './cap-parts.js';
import { fairShares } from './fair-shares.js';

/** What one process of a proxy may believe to have, whichever of the answers to it have arrived. */
export interface CapEntry {
  readonly proxy: string;
  readonly instance: string;
  /** Connections that it may have at most, until `untilMs`. */
  readonly granted: number;
  /** Of these, the ones that it keeps until `baseUntilMs`. */
  readonly base: number;
  readonly untilMs: number;
  readonly baseUntilMs: number;
  /** The part that it was sent last. */
  readonly sequence: number;
  readonly sentLimit: number;
  readonly sentBase: number;
  /** Connections in use and requests that waited for one, when it last reported. */
  readonly wanted: number;
  readonly least: number;
  /** Whether it has reported lately, and no other process has reported as the same proxy since. */
  readonly isCurrent: boolean;
}

/** How the cap of one backend is divided among the proxies of a pool. */
export interface CapLedger {
  /** When it was last changed, by the store's clock. */
  readonly atMs: number;
  readonly entries: readonly CapEntry[];
}

export interface CapReport {
  readonly proxy: string;
  readonly instance: string;
  readonly demand: CapDemand;
  /** The cap that the control plane's configuration says. */
  readonly cap: number;
}

export const EMPTY_CAP_LEDGER: CapLedger = { atMs: 0, entries: [] };

const LEASE_MS = 30_000;
const BASE_LEASE_MS = 15 * 60_000;
/** A proxy may go by its part for at least so long, however long its backend keeps connections. */
const LEAST_VALID_MS = 15_000;
/** So far the store's clock may be set forward, and so much faster than a proxy's it may run. */
const CLOCK_STEP_MS = 1000;
const CLOCK_DRIFT = 0.01;
/** A proxy gets so much more than it needs at the moment, so that not each request more takes a heartbeat. */
const SLACK = 0.25;

/**
 * Answers the report of a proxy with its part of the cap, and says how the cap is divided afterwards.
 *
 * An entry becomes smaller only when its process has reported that it goes by a smaller part and has given the rest back,
 * or when its lease has ended; it becomes larger only by what no entry has. So the entries never exceed the cap, and no
 * process has more than its entry, whatever is lost, late or twice. A cap that was lowered is kept as soon as the
 * processes have given back what is too much.
 *
 * A new process does not inherit the entry of the one before it, which may still be alive: that one runs out.
 */
export function divideCap(
  ledger: CapLedger,
  report: CapReport,
  nowMs: number,
): { readonly ledger: CapLedger; readonly part: CapPart } {
  const atMs = Math.max(nowMs, ledger.atMs);
  const { demand, cap } = report;
  const isReporter = ({ proxy, instance }: CapEntry) => proxy === report.proxy && instance === report.instance;
  const entries = currentEntries(ledger, atMs);
  const own = noteReport(entries.find(isReporter), report);
  const others = entries
    .filter((entry) => !isReporter(entry))
    .map((entry) => (entry.proxy === own.proxy ? { ...entry, isCurrent: false } : entry));
  const division = new Division(cap, own, others);
  const limit = division.nextLimit();
  const granted = Math.max(own.granted, limit);
  const sentBase = Math.min(limit, division.baseOf(own));
  const holdMs = demand.hold_seconds * 1000;
  const leaseMs = Math.max(LEASE_MS, holdMs + LEAST_VALID_MS + CLOCK_STEP_MS);
  const baseLeaseMs = Math.max(BASE_LEASE_MS, leaseMs);
  const entry: CapEntry = {
    ...own,
    granted,
    base: Math.max(own.base, sentBase),
    untilMs: Math.max(own.untilMs, atMs + leaseMs),
    baseUntilMs: Math.max(own.baseUntilMs, atMs + baseLeaseMs),
    sequence: own.sequence + 1,
    sentLimit: limit,
    sentBase,
  };
  const part: CapPart = {
    sequence: entry.sequence,
    limit,
    valid_seconds: validSeconds(leaseMs, holdMs),
    base: sentBase,
    base_valid_seconds: validSeconds(baseLeaseMs, holdMs),
    ...(limit === 0 && { reason: division.reasonForNone() }),
  };
  return { ledger: { atMs, entries: [...others, entry] }, part };
}

/** Removes the entries of a proxy of whose processes it is known that they have no connections any more. */
export function releaseCap(ledger: CapLedger, proxy: string): CapLedger {
  return { ...ledger, entries: ledger.entries.filter((entry) => entry.proxy !== proxy) };
}

/** What is in force at a time: what has expired is gone, and of the rest the base is left where the first lease has ended. */
export function currentEntries({ entries, atMs }: CapLedger, nowMs: number): readonly CapEntry[] {
  const timeMs = Math.max(nowMs, atMs);
  return entries.flatMap((entry) => {
    if (timeMs < entry.untilMs) {
      return [entry];
    }
    const isLeft = entry.base > 0 && timeMs < entry.baseUntilMs;
    return isLeft ? [{ ...entry, granted: Math.min(entry.granted, entry.base), isCurrent: false }] : [];
  });
}

/** A stopped process cannot give back: the backend does, in the time between the end of the part and that of the lease. */
function validSeconds(leaseMs: number, holdMs: number): number {
  return Math.floor((leaseMs - holdMs - CLOCK_STEP_MS) * (1 - CLOCK_DRIFT)) / 1000;
}

/** The entry of a process after its report was read, before it is given anything. */
function noteReport(entry: CapEntry | undefined, { proxy, instance, demand, cap }: CapReport): CapEntry {
  const { sequence = 0, limit, in_use, waiting, least } = demand;
  const taken = Math.max(limit, in_use);
  const noted = { proxy, instance, wanted: in_use + waiting, least, isCurrent: true };
  if (entry === undefined || sequence > entry.sequence) {
    // The ledger does not know what the process was sent: it was restored to an earlier state, or the entry was removed.
    const granted = Math.max(entry?.granted ?? 0, Math.min(cap, taken));
    const { untilMs, baseUntilMs } = entry ?? { untilMs: 0, baseUntilMs: 0 };
    return { ...noted, granted, base: granted, untilMs, baseUntilMs, sequence, sentLimit: granted, sentBase: granted };
  }
  if (sequence < entry.sequence) {
    // A later part may be on its way, or in force already: the report may be late.
    return { ...entry, ...noted };
  }
  const granted = Math.min(entry.granted, taken);
  return { ...entry, ...noted, granted, base: Math.min(granted, entry.sentBase) };
}

/** How a cap is to be divided among the processes that report, beside what those that are silent may still have. */
class Division {
  readonly #current: readonly CapEntry[];
  readonly #shareOfAll: number;
  readonly #silentByProxy: ReadonlyMap<string, Silent>;
  readonly #shares: ReadonlyMap<CapEntry, number>;
  readonly #free: number;

  constructor(
    private readonly cap: number,
    private readonly own: CapEntry,
    others: readonly CapEntry[],
  ) {
    const byHolding = (a: CapEntry, b: CapEntry) => b.granted - a.granted || (a.proxy < b.proxy ? -1 : 1);
    this.#current = [own, ...others.filter(({ isCurrent }) => isCurrent)].toSorted(byHolding);
    this.#shareOfAll = Math.floor(cap / this.#current.length);
    this.#free = cap - total([own, ...others]);
    this.#silentByProxy = sumSilent(others);
    this.#shares = this.#divide();
  }

  /** What the reporter may have from now on: more when there is something free, less only when others need it. */
  nextLimit(): number {
    const { granted } = this.own;
    const share = this.#shareOf(this.own);
    if (share >= granted) {
      return granted + Math.max(0, Math.min(share - granted, this.#free));
    }
    return Math.max(share, granted - Math.max(0, this.#missing()));
  }

  /** Half of a fair share, or what the process must be able to have; less what silent processes of the same proxy keep. */
  baseOf({ proxy, least }: CapEntry): number {
    const base = Math.max(Math.min(least, this.#shareOfAll), Math.floor(this.#shareOfAll / 2));
    return Math.max(0, base - this.#silentOf(proxy).base);
  }

  reasonForNone(): string {
    return this.#current.length > this.cap
      ? `${this.#current.length} proxies share the cap of ${this.cap} connections`
      : `the other processes have, or may still have, all ${this.cap} connections of the cap`;
  }

  /** A proxy is one party, whichever of its processes has what: one that crashes again and again takes from itself. */
  #divide(): ReadonlyMap<CapEntry, number> {
    const parties = this.#current.map((entry) => ({ entry, silent: this.#silentOf(entry.proxy).granted }));
    const held = this.#current.reduce((sum, { granted }) => sum + granted, 0);
    const silentOfParties = parties.reduce((sum, { silent }) => sum + silent, 0);
    const ofNobody = this.cap - this.#free - held - silentOfParties;
    const wants = parties.map(({ entry, silent }) => silent + this.#wantOf(entry));
    const shares = fairShares(this.cap - ofNobody, wants);
    return new Map(
      parties.map(({ entry, silent }, index) => {
        const share = shares[index] ?? 0;
        return [entry, Math.max(share - silent, Math.min(1, share))];
      }),
    );
  }

  #wantOf(entry: CapEntry): number {
    return Math.max(this.baseOf(entry), entry.wanted + Math.ceil(entry.wanted * SLACK));
  }

  #shareOf(entry: CapEntry): number {
    return this.#shares.get(entry) ?? 0;
  }

  /** What the others need beyond what is free or has been asked back from them. */
  #missing(): number {
    const others = this.#current.filter((entry) => entry !== this.own);
    const needed = others.reduce((sum, entry) => sum + Math.max(0, this.#shareOf(entry) - entry.granted), 0);
    const pending = others.reduce((sum, { granted, sentLimit }) => sum + Math.max(0, granted - sentLimit), 0);
    return needed - this.#free - pending;
  }

  #silentOf(proxy: string): Silent {
    return this.#silentByProxy.get(proxy) ?? { granted: 0, base: 0 };
  }
}

type Silent = Pick<CapEntry, 'granted' | 'base'>;

/** What processes that report no longer may still have, by proxy. */
function sumSilent(entries: readonly CapEntry[]): ReadonlyMap<string, Silent> {
  const sums = new Map<string, Silent>();
  for (const { proxy, granted, base } of entries.filter(({ isCurrent }) => !isCurrent)) {
    const sum = sums.get(proxy) ?? { granted: 0, base: 0 };
    sums.set(proxy, { granted: sum.granted + granted, base: sum.base + base });
  }
  return sums;
}

function total(entries: readonly CapEntry[]): number {
  return entries.reduce((sum, { granted }) => sum + granted, 0);
}
