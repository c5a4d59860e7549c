import type {
  ActionQuery,
  ActionRecord,
  ChainEnds,
  ChainedActionRecord,
  ChainHead,
  ChainStart,
} from '@palisade/domain';
import { GENESIS, chainRecords } from '../../audit/action-chain.js';
import { storableAction } from '../../audit/canonical-action.js';

/** The latest action records, in a chain: beyond `maxRecords` the oldest are removed. */
export class ActionLog {
  private readonly records: ChainedActionRecord[] = [];
  /** Index of the first record that has not been removed. */
  private first = 0;
  private head: ChainHead = GENESIS;
  private start: ChainStart = { sequence: 1, previousHash: GENESIS.hash };

  constructor(private readonly maxRecords: number) {}

  append(records: readonly ActionRecord[]): void {
    const chained = chainRecords(this.head, records.map(storableAction));
    for (const record of chained) {
      this.records.push(record);
      this.head = { sequence: record.sequence, hash: record.hash };
    }
    this.removeFirst(this.size - this.maxRecords);
  }

  ends(): ChainEnds {
    return { start: this.start, head: this.head };
  }

  list(query: ActionQuery): ChainedActionRecord[] {
    const skipped = Math.max(0, (query.after ?? 0) - this.start.sequence + 1);
    const found: ChainedActionRecord[] = [];
    for (let index = this.first + skipped; index < this.records.length && found.length < query.limit; index += 1) {
      const record = this.records[index];
      if (record && selects(query, record)) {
        found.push({ ...record, timestamp: new Date(record.timestamp) });
      }
    }
    return found;
  }

  removeBefore(before: Date, through = Infinity): number {
    const isKept = (record: ChainedActionRecord) => record.timestamp >= before || record.sequence > through;
    const kept = this.records.findIndex((record, index) => index >= this.first && isKept(record));
    const count = kept === -1 ? this.size : kept - this.first;
    this.removeFirst(count);
    return count;
  }

  private get size(): number {
    return this.records.length - this.first;
  }

  private removeFirst(count: number): void {
    const last = this.records[this.first + count - 1];
    if (count <= 0 || !last) {
      return;
    }
    this.start = { sequence: last.sequence + 1, previousHash: last.hash };
    this.first += count;
    // Only now and then, as it moves everything that is left.
    if (this.first > this.records.length / 2) {
      this.records.splice(0, this.first);
      this.first = 0;
    }
  }
}

function selects({ tenantId, namespace, namespaces, action }: ActionQuery, record: ChainedActionRecord): boolean {
  return (
    (tenantId === undefined || record.tenantId === tenantId) &&
    (namespace === undefined || record.namespace === namespace) &&
    (namespaces === undefined || (record.namespace !== undefined && namespaces.includes(record.namespace))) &&
    (action === undefined || record.action === action)
  );
}
