import {
  ActionStore,
  type ActionQuery,
  type ActionRecord,
  type ChainEnds,
  type ChainedActionRecord,
} from '@palisade/domain';
import { sql } from 'kysely';
import { GENESIS } from '../../audit/action-chain.js';
import { isStorable } from '../../storable-text.js';
import type { Database } from '../connection/database.js';
import { toAction } from './action-row.js';
import { appendActions } from './append-actions.js';
import { removeActions } from './remove-actions.js';

/** The chain in PostgreSQL. Appending is one after the other, for all processes: sequences have no gaps and show in order. */
export class PostgresActionStore extends ActionStore {
  constructor(private readonly database: Database) {
    super();
  }

  override append(records: readonly ActionRecord[]): Promise<void> {
    return this.database.transaction((transaction) => appendActions(transaction, records));
  }

  override async list(query: ActionQuery): Promise<ChainedActionRecord[]> {
    const { after, tenantId, namespace, namespaces, action, limit } = query;
    if (![tenantId, namespace, action].every((text) => text === undefined || isStorable(text))) {
      return [];
    }
    const rows = await this.database.run((connection) => {
      let select = connection.selectFrom('action_records').selectAll().orderBy('sequence').limit(limit);
      select = after === undefined ? select : select.where('sequence', '>', after);
      select = tenantId === undefined ? select : select.where('tenant_id', '=', tenantId);
      select = namespace === undefined ? select : select.where('namespace', '=', namespace);
      select = action === undefined ? select : select.where('action', '=', action);
      select =
        namespaces === undefined
          ? select
          : select.where(sql<boolean>`namespace = any(${namespaces.filter(isStorable)}::text[])`);
      return select.execute();
    });
    return rows.map(toAction);
  }

  override async ends(): Promise<ChainEnds> {
    const rows = await this.database.run((connection) => connection.selectFrom('action_chain').selectAll().execute());
    const removed = rows.find(({ name }) => name === 'removed') ?? GENESIS;
    const head = rows.find(({ name }) => name === 'head') ?? GENESIS;
    return {
      start: { sequence: removed.sequence + 1, previousHash: removed.hash },
      head: { sequence: head.sequence, hash: head.hash },
    };
  }

  override async removeBefore(before: Date, through?: number): Promise<number> {
    for (let total = 0; ;) {
      const { count, isPartial } = await this.database.transaction((transaction) =>
        removeActions(transaction, before, through),
      );
      total += count;
      if (!isPartial) {
        return total;
      }
    }
  }
}
