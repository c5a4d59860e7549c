import type { ActionRecord, ChainedActionRecord } from '../audit/action-record.js';

export interface ActionQuery {
  /** Records after this sequence. */
  readonly after?: number;
  readonly tenantId?: string;
  readonly namespace?: string;
  readonly action?: string;
  readonly limit: number;
}

/** Where the chain begins after older records were removed. */
export interface ChainStart {
  readonly sequence: number;
  readonly previousHash: string;
}

/**
 * Action records in a chain of hashes, in which no record can be changed, removed or inserted unnoticed. Changes append in
 * their own transaction; refused attempts are appended here. Every method throws {@link StoreUnavailableError} while the
 * store cannot be reached.
 */
export abstract class ActionStore {
  /** In this order, all or none. */
  abstract append(records: readonly ActionRecord[]): Promise<void>;

  /** In order of sequence. */
  abstract list(query: ActionQuery): Promise<ChainedActionRecord[]>;

  /** Where the chain begins; sequence 1 after 64 zeros unless records were removed. */
  abstract start(): Promise<ChainStart>;

  /** Removes records older than `before`, from the beginning of the chain. Returns how many. */
  abstract removeBefore(before: Date): Promise<number>;
}
