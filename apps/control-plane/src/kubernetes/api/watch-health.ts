export interface WatchHealthSnapshot {
  /** `starting` until all objects were read for the first time; `failing` from the first failure to the next success. */
  readonly state: 'stopped' | 'starting' | 'following' | 'failing';
  /** When the API server last answered. */
  readonly lastContactAt?: Date;
  /** The last failure, while it lasts. */
  readonly error?: string;
}

/** How up to date a watch is. */
export class WatchHealth {
  private current: WatchHealthSnapshot = { state: 'stopped' };
  private contactAt: number | undefined;
  private interruptionCount = 0;

  /** @param now in milliseconds since 1970 */
  constructor(private readonly now: () => number) {}

  get snapshot(): WatchHealthSnapshot {
    return { ...this.current, ...(this.contactAt !== undefined && { lastContactAt: new Date(this.contactAt) }) };
  }

  /** How often a list or watch had to be restarted, for whatever reason. */
  get interruptions(): number {
    return this.interruptionCount;
  }

  /** The time since the last answer, or since the start if there was none; undefined while the watch does not run. */
  stalenessMs(): number | undefined {
    return this.contactAt === undefined ? undefined : Math.max(0, this.now() - this.contactAt);
  }

  started(): void {
    this.current = { state: 'starting' };
    this.contactAt = this.now();
  }

  /** The API server has answered. */
  succeeded(): void {
    this.contactAt = this.now();
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
    this.contactAt = undefined;
  }
}
