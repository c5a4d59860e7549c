import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { pause } from '@palisade/async';
import { ACCESS_CONFIRMATION_MS, Store, StoreUnavailableError, type AccessChange } from '@palisade/domain';
import { EVERYTHING_CHANGED, NOTHING_CHANGED, accessChangeOf } from './access-changes.js';

export type AccessListener = (change: AccessChange) => void;

const POLL_MS = 100;
const RETRY_MS = 500;
const PAGE_SIZE = 1000;
/** Records that wait while none gets its position for so long say that nobody gives positions: what they tell is not known. */
const MAX_STALLED_MS = 5000;

/**
 * Follows the log while anybody listens, and tells who may have lost access. While the log can be read, it also says so
 * every second (`NOTHING_CHANGED`): listeners that hear nothing know that they know nothing.
 */
@Injectable()
export class AccessWatch implements OnModuleDestroy {
  private readonly logger = new Logger(AccessWatch.name);
  private readonly listeners = new Set<AccessListener>();
  private readonly stopping = new AbortController();
  private watching: Promise<void> | undefined;
  private position: number | undefined;
  private confirmedAtMs = 0;
  /** When the log was last seen without records that wait, or longer than before. */
  private movedAtMs = 0;
  private isFailing = false;

  constructor(private readonly store: Store) {}

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.watching;
  }

  /** What changes after the call is told, and what changed shortly before it may be. */
  subscribe(listener: AccessListener): Disposable {
    this.listeners.add(listener);
    this.watching ??= this.watch();
    return { [Symbol.dispose]: () => void this.listeners.delete(listener) };
  }

  private async watch(): Promise<void> {
    this.position = undefined;
    while (this.listeners.size > 0 && !this.stopping.signal.aborted) {
      await pause(await this.round(), this.stopping.signal);
    }
    this.watching = undefined;
  }

  /** After how many milliseconds the next round is due. */
  private async round(): Promise<number> {
    try {
      const isComplete = await this.read();
      this.note(undefined);
      return isComplete ? POLL_MS : 0;
    } catch (error) {
      this.note(error);
      return RETRY_MS;
    }
  }

  /** False when there may be more to read. */
  private async read(): Promise<boolean> {
    if (this.position === undefined) {
      this.position = (await this.store.log.ends()).head.position;
      this.movedAtMs = performance.now();
      // Somebody who has listened since before a failure, or since before the position was known, may have missed something.
      this.tell(EVERYTHING_CHANGED);
      return true;
    }
    const records = await this.store.log.list({ after: this.position, limit: PAGE_SIZE });
    const [first, last] = [records.at(0), records.at(-1)];
    if (first === undefined || last === undefined) {
      await this.confirm(this.position);
      return true;
    }
    const isGapless = first.position === this.position + 1;
    const change = isGapless ? await accessChangeOf(records, this.store.bindings) : EVERYTHING_CHANGED;
    this.position = last.position;
    this.movedAtMs = performance.now();
    this.tell(change);
    return records.length < PAGE_SIZE;
  }

  private async confirm(position: number): Promise<void> {
    if (performance.now() - this.confirmedAtMs < ACCESS_CONFIRMATION_MS) {
      return;
    }
    const [{ head }, { count }] = await Promise.all([this.store.log.ends(), this.store.log.unsealed()]);
    if (head.position < position) {
      // Only a store that was restored to an earlier state goes back.
      this.position = head.position;
      this.tell(EVERYTHING_CHANGED);
      return;
    }
    if (count === 0) {
      this.movedAtMs = performance.now();
    }
    if (performance.now() - this.movedAtMs < MAX_STALLED_MS) {
      this.tell(NOTHING_CHANGED);
    }
  }

  private tell(change: AccessChange): void {
    this.confirmedAtMs = performance.now();
    for (const listener of this.listeners) {
      listener(change);
    }
  }

  /** Logs the first of successive failures, and when reading works again. */
  private note(failure: unknown): void {
    if (failure !== undefined && !this.isFailing) {
      this.logger.warn(
        'the log cannot be read; proxies are not told who loses access, and will deny all users',
        failure,
      );
    } else if (failure === undefined && this.isFailing) {
      this.logger.log('the log can be read again');
    }
    this.isFailing = failure !== undefined;
    if (failure !== undefined && !(failure instanceof StoreUnavailableError)) {
      this.position = undefined;
    }
  }
}
