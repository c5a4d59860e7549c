export interface WatchHealthSnapshot {
  /** `starting` until all was read for the first time; `failing` from the first failure until something succeeds. */
  readonly state: 'stopped' | 'starting' | 'following' | 'failing';
  /** When the API server last gave a sign of life. */
  readonly lastSignAt?: Date;
  /** Of the last failure, while it lasts. */
  readonly error?: string;
}

/** How up to date a watch is. */
export class WatchHealth {
  private current: WatchHealthSnapshot = { state: 'stopped' };
  private signAt: number | undefined;
  private interruptionCount = 0;

  /** @param now in milliseconds since 1970 */
  constructor(private readonly now: () => number) {}

  get snapshot(): WatchHealthSnapshot {
    return { ...this.current, ...(this.signAt !== undefined && { lastSignAt: new Date(this.signAt) }) };
  }

  /** How often something had to be begun anew, for whatever reason. */
  get interruptions(): number {
    return this.interruptionCount;
  }

  /** How long ago the last sign of life was, or the start if there was none; undefined while nothing is watched. */
  stalenessMs(): number | undefined {
    return this.signAt === undefined ? undefined : Math.max(0, this.now() - this.signAt);
  }

  started(): void {
    this.current = { state: 'starting' };
    this.signAt = this.now();
  }

  /** The API server has given a sign of life. */
  succeeded(): void {
    this.signAt = this.now();
    this.current = { state: 'following' };
  }

  interrupted(): void {
    this.interruptionCount++;
  }

  failed(error: string): void {
    this.current = { state: 'failing', error };
  }

  stopped(): void {
    this.current = { state: 'stopped' };
    this.signAt = undefined;
  }
}
