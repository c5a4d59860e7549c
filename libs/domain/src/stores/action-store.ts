import type { ActionRecord, ChainedActionRecord } from '../audit/action-record.js';

export interface ActionQuery {
  /** Records after this sequence. */
  readonly after?: number;
  readonly tenantId?: string;
  readonly namespace?: string;
  /** Only what concerns one of these. */
  readonly namespaces?: readonly string[];
  readonly action?: string;
  readonly limit: number;
}

/** Where the chain begins after older records were removed. */
export interface ChainStart {
  readonly sequence: number;
  readonly previousHash: string;
}

/** The last record that the chain had; sequence 0 and 64 zeros before the first one. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

export interface ChainEnds {
  readonly start: ChainStart;
  readonly head: ChainHead;
}

/**
 * Action records in a chain of hashes, in which no record can be changed, removed or inserted unnoticed. Changes append in
 * their own transaction; refused attempts are appended here. Every method throws {@link StoreUnavailableError} while the
 * store cannot be reached.
 */
export abstract class ActionStore {
  /**
   * In this order, all or none. What a store cannot keep (U+0000, lone surrogates) is replaced by U+FFFD, and a text is cut
   * after 512 characters (those in `detail` are not).
   *
   * @throws {RangeError} when `rowsAccessed` is not a count, or the timestamp is not a date
   */
  abstract append(records: readonly ActionRecord[]): Promise<void>;

  /** In order of sequence. */
  abstract list(query: ActionQuery): Promise<ChainedActionRecord[]>;

  /** Both ends at one moment: the records between them are all there are. */
  abstract ends(): Promise<ChainEnds>;

  /**
   * Removes records from the beginning of the chain, up to the first that is not older than `before`, or up to sequence
   * `through` if that comes earlier. What is left stays verifiable from its new start. Returns how many.
   */
  abstract removeBefore(before: Date, through?: number): Promise<number>;
}
