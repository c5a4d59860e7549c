const MAX_ATTEMPTS = 1000;
const WINDOW_MS = 60_000;

/** How many attempts become one. */
export interface Summaries<A> {
  /** Of the attempts that followed `first` within its minute. */
  readonly repeated: (first: A, repeats: number, at: Date) => A;
  /** Of attempts that there was no room to keep apart. */
  readonly various: (count: number, at: Date) => A;
}

interface Entry<A> {
  readonly attempt: A;
  readonly since: Date;
  isCollected: boolean;
  repeats: number;
}

/**
 * Keeps repeated attempts from flooding an audit trail: the first of its kind is passed on, those that follow within a
 * minute are counted and passed on as one when the minute is over. At most 1000 kinds are kept apart, what is beyond
 * is only counted.
 */
export class AttemptWindows<A> {
  private readonly entries = new Map<string, Entry<A>>();
  private uncounted = 0;

  constructor(private readonly summaries: Summaries<A>) {}

  /** @param kind attempts of the same kind count as repeats of each other */
  add(kind: string, attempt: A, at: Date): void {
    const known = this.entries.get(kind);
    if (known !== undefined) {
      known.repeats += 1;
    } else if (this.entries.size < MAX_ATTEMPTS) {
      this.entries.set(kind, { attempt, since: at, isCollected: false, repeats: 0 });
    } else {
      this.uncounted += 1;
    }
  }

  /** What has become due since the last call. */
  collect(at: Date): A[] {
    return this.take(at, (since) => at.getTime() - since.getTime() >= WINDOW_MS);
  }

  /** Everything, due or not. */
  drain(at: Date): A[] {
    return this.take(at, () => true);
  }

  private take(at: Date, isOver: (since: Date) => boolean): A[] {
    const taken: A[] = [];
    for (const [kind, entry] of this.entries) {
      if (!entry.isCollected) {
        entry.isCollected = true;
        taken.push(entry.attempt);
      }
      if (isOver(entry.since)) {
        this.entries.delete(kind);
        taken.push(...(entry.repeats === 0 ? [] : [this.summaries.repeated(entry.attempt, entry.repeats, at)]));
      }
    }
    if (this.uncounted > 0 && this.entries.size < MAX_ATTEMPTS) {
      taken.push(this.summaries.various(this.uncounted, at));
      this.uncounted = 0;
    }
    return taken;
  }
}
