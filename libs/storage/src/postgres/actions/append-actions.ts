import type { ActionRecord, ChainHead } from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import { chainRecords } from '../../audit/action-chain.js';
import { storableAction } from '../../audit/canonical-action.js';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { toActionColumns } from './action-row.js';

const LOCK_HEAD = prepared(`select sequence, hash from action_chain where name = 'head' for no key update`);

const COLUMNS =
  'sequence, at, tenant_id, namespace, session_id, user_id, action, resource, result, rows_accessed, pii_accessed, detail, previous_hash, hash';

const APPEND = prepared(`
  with moved as (
    update action_chain set sequence = $2, hash = $3 where name = 'head'
  )
  insert into action_records (${COLUMNS})
  select ${COLUMNS} from json_to_recordset($1::json) as record(
    sequence bigint, at timestamptz, tenant_id text, namespace text, session_id text, user_id text, action text,
    resource text, result text, rows_accessed bigint, pii_accessed boolean, detail json, previous_hash text, hash text
  )`);

/**
 * Appends records to the chain. From here on the transaction keeps others from appending: it is the last that a
 * transaction does, so that it holds no other lock that somebody at this point waits for.
 *
 * @throws {RangeError} as `storableAction`
 */
export async function appendActions(transaction: Connection, records: readonly ActionRecord[]): Promise<void> {
  const storable = records.map(storableAction);
  if (storable.length === 0) {
    return;
  }
  const head = await lockHead(transaction);
  const chained = chainRecords(head, storable);
  const last = chained.at(-1) ?? head;
  const parameters = [JSON.stringify(chained.map(toActionColumns)), last.sequence, last.hash];
  await transaction.executeQuery(CompiledQuery.raw(APPEND, parameters));
}

async function lockHead(transaction: Connection): Promise<ChainHead> {
  const { rows } = await transaction.executeQuery<ChainHead>(CompiledQuery.raw(LOCK_HEAD, []));
  const [head] = rows;
  if (!head) {
    throw new Error('the chain of action records has lost its head: the row "head" of action_chain is missing');
  }
  return head;
}
