/** Totals that never decrease. */
export interface UsageTotals {
  /** Pieces of work that were let in. */
  readonly requests: number;
  /** Requests that failed, or could not begin although their namespace kept its limits. */
  readonly errors: number;
  /** Requests that were aborted. */
  readonly aborted: number;
  /** Pieces of work that were not begun, or ended by a limit, by the code of the error. */
  readonly rejections: Readonly<Record<string, number>>;
  readonly rowsAccessed: number;
  /** An estimate; 0 unless CPU time is measured. */
  readonly cpuSeconds: number;
}

/** CPU time in whole microseconds, so that sums are exact in whatever order they are made. */
type Count = 'requests' | 'errors' | 'aborted' | 'rows' | 'cpuMicros';

/** Codes are those of errors, some of which may be an embedding program's own: so many are told apart. */
const MAX_REASONS = 32;
const OTHER_REASON = 'OTHER';

/** Counts of one namespace; everything is also counted in those of all. */
export class UsageCounters {
  readonly #counts: Record<Count, number> = { requests: 0, errors: 0, aborted: 0, rows: 0, cpuMicros: 0 };
  readonly #rejections = new Map<string, number>();

  constructor(private readonly total?: UsageCounters) {}

  add(count: Count, amount = 1): void {
    this.#counts[count] += amount;
    this.total?.add(count, amount);
  }

  reject(code: string): void {
    const reason = this.#rejections.has(code) || this.#rejections.size < MAX_REASONS ? code : OTHER_REASON;
    this.#rejections.set(reason, (this.#rejections.get(reason) ?? 0) + 1);
    this.total?.reject(code);
  }

  snapshot(): UsageTotals {
    const { requests, errors, aborted, rows, cpuMicros } = this.#counts;
    const rejections = Object.fromEntries(this.#rejections);
    return { requests, errors, aborted, rejections, rowsAccessed: rows, cpuSeconds: cpuMicros / 1_000_000 };
  }
}
