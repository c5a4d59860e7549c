import type { LogRecord, SealedRecord } from './log-record.js';

export interface LogQuery {
  /** Only positions above this one. */
  readonly after?: number;
  /** Only positions below this one. */
  readonly before?: number;
  /** By position: `asc` (the default) reads forward from `after`, `desc` backward from `before`. */
  readonly order?: 'asc' | 'desc';
  /** Only what happened at this time or later. */
  readonly since?: Date;
  /** Only what happened before this time. */
  readonly until?: Date;
  readonly userId?: string;
  readonly action?: string;
  readonly provider?: string;
  readonly tenantId?: string;
  readonly namespace?: string;
  /** Only what concerns one of these. */
  readonly namespaces?: readonly string[];
  readonly limit: number;
}

/** One place in the log, and the hash that covers everything up to it. Position 0 and 64 zeros: before the first record. */
export interface LogPoint {
  readonly position: number;
  readonly seal: string;
}

export interface LogEnds {
  /** The last record that was removed: the log goes on behind it. */
  readonly removed: LogPoint;
  /** The last record that there is. */
  readonly head: LogPoint;
}

/** Records that were written and have no position yet. */
export interface UnsealedRecords {
  readonly count: number;
  /** When the oldest of them was written. */
  readonly oldest?: Date;
}

/**
 * The log of everything that changes or is denied. Changes write their record in their own transaction and wait for nobody;
 * {@link seal} gives records their positions afterwards, and only then are they read. Every method throws
 * {@link StoreUnavailableError} while the store cannot be reached.
 */
export abstract class LogStore {
  /**
   * In this order, all or none. What a store cannot keep (U+0000, lone surrogates) is replaced by U+FFFD, and a text is cut
   * after 512 characters (those in `detail` are not).
   *
   * @throws {RangeError} when `rowsAccessed` is not a count, or the timestamp is not a date
   */
  abstract append(records: readonly LogRecord[]): Promise<void>;

  /**
   * Gives positions and hashes to records whose transactions have ended, at most 1,000 of them. Any number of processes may
   * call it at the same time, and any of them may end at any moment: each record gets exactly one position.
   *
   * @returns how many got one: 0 when there were none, or when another process has sealed them
   */
  abstract seal(): Promise<number>;

  /** Sealed records in the order of the query. */
  abstract list(query: LogQuery): Promise<SealedRecord[]>;

  /** Both ends at one moment: the records between them are all there are. */
  abstract ends(): Promise<LogEnds>;

  abstract unsealed(): Promise<UnsealedRecords>;

  /**
   * Removes records from the beginning of the log, up to the first that is not older than `before`, or up to position
   * `through` if that comes earlier. What is left stays verifiable. Returns how many were removed.
   */
  abstract removeBefore(before: Date, through?: number): Promise<number>;

  /** The position through which every consumer of the log has read; undefined when there is none. */
  abstract readThrough(): Promise<number | undefined>;

  /** How far a consumer of the log has come; undefined before it has begun. */
  abstract findReader(name: string): Promise<LogPoint | undefined>;

  /** Remembers how far a consumer has come. A position before the one that is remembered changes nothing. */
  abstract moveReader(name: string, point: LogPoint): Promise<void>;
}
