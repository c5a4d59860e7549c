import { sql, type Kysely, type Migration } from 'kysely';

const RECORD = `
    scope text collate "C" not null,
    at timestamptz(3) not null,
    tenant_id text collate "C",
    namespace text collate "C",
    session_id text,
    user_id text collate "C" not null,
    action text collate "C" not null,
    resource text collate "C" not null,
    result text collate "C" not null,
    rows_accessed bigint,
    pii_accessed boolean,
    request_id text,
    detail json`;

const COLUMNS =
  'scope, at, tenant_id, namespace, session_id, user_id, action, resource, result, rows_accessed, pii_accessed, request_id, detail';

/** A row of `audit_events` as a record. */
const EVENT = `
  coalesce(event.provider, 'control_plane') as scope, event.at, null::text as tenant_id, event.namespace,
  null::text as session_id, left(event.actor, 512) as user_id, left(event.action, 512) as action,
  left(event.resource, 512) as resource, event.result, null::bigint as rows_accessed, null::boolean as pii_accessed,
  left(event.request_id, 512) as request_id, event.detail`;

/** A row of `action_records` as a record, with its place in the chain that it was in and with its detail as it was. */
const ACTION = `
  'control_plane' as scope, event.at, event.tenant_id, event.namespace, event.session_id, event.user_id, event.action,
  event.resource, event.result, event.rows_accessed, event.pii_accessed,
  left(event.detail ->> 'requestId', 512) as request_id,
  json_build_object(
    'former_sequence', event.sequence, 'former_previous_hash', event.previous_hash, 'former_hash', event.hash,
    'former_detail', event.detail) as detail`;

/**
 * The rows of both tables are written again as records that have no position yet, and get one when they are sealed. Two
 * tables become one by time, each in its own order: a row never comes before one that had a lower number, even if a clock
 * went back in between. A million rows took 32 s on two busy cores.
 */
const CARRY_OVER = `
  insert into log_unsealed (${COLUMNS})
  select ${COLUMNS}
  from (
    select ${EVENT}, max(event.at) over (order by event.sequence) as reached, 1 as origin, event.sequence
    from audit_events event
    union all
    select ${ACTION}, max(event.at) over (order by event.sequence), 2, event.sequence
    from action_records event
  ) carried
  order by reached, origin, sequence`;

/** What was carried over, for those who exported action records before, or kept the last hash. */
const CARRIED_OVER = `
  insert into log_unsealed (scope, at, user_id, action, resource, result, detail)
  select 'control_plane', now(), 'migration', 'log.carry_over', 'log', 'success', json_build_object(
    'audit_events', events.count, 'action_records', records.count,
    'former_sequence', chain.sequence, 'former_hash', chain.hash)
  from (select count(*) from audit_events) events, (select count(*) from action_records) records, action_chain chain
  where chain.name = 'head' and (events.count > 0 or chain.sequence > 0)`;

/**
 * The version before goes on writing to the old tables until the last of its processes has ended: what it writes there
 * becomes a record as well, in the same transaction.
 */
function forward(table: string, record: string): readonly string[] {
  return [
    `create function forward_${table}() returns trigger language plpgsql as $$
      begin
        insert into log_unsealed (${COLUMNS}) select ${record} from (select new.*) event;
        return null;
      end $$`,
    `create trigger forward after insert on ${table} for each row execute function forward_${table}()`,
  ];
}

const STATEMENTS = [
  // Written with each change and emptied by whoever seals. Few rows, many dead ones: vacuumed early.
  `create table log_unsealed (${RECORD},
    id bigint not null generated always as identity,
    written_at timestamptz not null default clock_timestamp(),
    constraint log_unsealed_pkey primary key (scope, id)
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  `create index log_unsealed_id_idx on log_unsealed (id)`,
  `comment on table log_unsealed is 'records that have no position yet'`,

  `create table log_records (${RECORD},
    position bigint not null,
    previous_hash bytea not null,
    hash bytea not null,
    seal bytea not null,
    constraint log_records_pkey primary key (scope, position)
  )`,
  `create index log_records_position_idx on log_records (position)`,
  `create index log_records_at_idx on log_records (at)`,
  `create index log_records_user_idx on log_records (user_id, position)`,
  `create index log_records_action_idx on log_records (action, position)`,
  `create index log_records_tenant_idx on log_records (tenant_id, position) where tenant_id is not null`,
  `create index log_records_namespace_idx on log_records (namespace, position) where namespace is not null`,

  // Two rows, so that removing the oldest records does not keep the sealer waiting.
  `create table log_ends (
    name text collate "C" not null,
    position bigint not null,
    seal bytea not null,
    constraint log_ends_pkey primary key (name)
  ) with (fillfactor = 10)`,
  `comment on table log_ends is 'the last record that was removed, and the last one that there is'`,
  `insert into log_ends (name, position, seal)
    values ('removed', 0, decode(repeat('0', 64), 'hex')), ('head', 0, decode(repeat('0', 64), 'hex'))`,

  `create table log_scopes (
    scope text collate "C" not null,
    hash bytea not null,
    constraint log_scopes_pkey primary key (scope)
  ) with (fillfactor = 50)`,
  `comment on column log_scopes.hash is 'of the last record of the scope, also when it was removed'`,

  `create table log_readers (
    name text collate "C" not null,
    position bigint not null,
    seal bytea not null,
    constraint log_readers_pkey primary key (name)
  )`,
  `comment on table log_readers is 'how far each consumer has come'`,

  // From here to the end of the migration the version before waits when it writes to them.
  `lock table audit_events, action_records in share row exclusive mode`,
  CARRY_OVER,
  CARRIED_OVER,
  ...forward('audit_events', EVENT),
  ...forward('action_records', ACTION),
];

export const oneLogMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
