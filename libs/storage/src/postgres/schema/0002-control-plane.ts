import { sql, type Kysely, type Migration } from 'kysely';

/** Text in code point order (COLLATE "C") whatever the database's own order is, as ranges over it are read. */
const STATEMENTS = [
  // Locked by each change of a tenant: revisions are given and become visible in the same order.
  `create table registry (
    name text collate "C" not null,
    revision bigint not null,
    constraint registry_pkey primary key (name)
  ) with (fillfactor = 10)`,
  `insert into registry (name, revision) values ('tenants', 0)`,

  `create table tenants (
    id text collate "C" not null,
    revision bigint not null,
    source text collate "C" not null,
    namespace_patterns text[] collate "C" not null,
    pool text collate "C",
    isolation_level text collate "C",
    tier text collate "C",
    annual_revenue double precision,
    connection_pools json,
    draining_pool text collate "C",
    draining_until timestamptz(3),
    version bigint not null,
    created_at timestamptz(3) not null,
    modified_at timestamptz(3) not null,
    constraint tenants_pkey primary key (id),
    constraint tenants_revision_key unique (revision)
  )`,
  `comment on column tenants.revision is 'of the registry, by the latest change'`,
  `create index tenants_pool_idx on tenants (pool, id)`,

  // Patterns overlap only when one's literal prefix is a prefix of the other's: those are found by key.
  `create table tenant_patterns (
    literal_prefix text collate "C" not null,
    pattern text collate "C" not null,
    shape text collate "C" not null,
    tenant_id text collate "C" not null references tenants (id) on delete cascade,
    constraint tenant_patterns_pkey primary key (literal_prefix, pattern)
  )`,
  `create index tenant_patterns_tenant_idx on tenant_patterns (tenant_id)`,
  `create index tenant_patterns_wildcard_idx on tenant_patterns (tenant_id) where shape = 'wildcard'`,

  `create table tenant_removals (
    tenant_id text collate "C" not null,
    revision bigint not null,
    constraint tenant_removals_pkey primary key (tenant_id),
    constraint tenant_removals_revision_key unique (revision)
  )`,

  // Rows that change every few seconds have room for another version of themselves on their page.
  `create table proxies (
    id text collate "C" not null,
    pool text collate "C" not null,
    source text collate "C" not null,
    host text not null,
    port integer not null,
    weight integer not null,
    is_draining boolean not null,
    health text collate "C" not null,
    health_detail text,
    health_changed_at timestamptz(3),
    registered_at timestamptz(3) not null,
    last_heartbeat_at timestamptz(3),
    address_since timestamptz(3) not null,
    constraint proxies_pkey primary key (id)
  ) with (fillfactor = 50)`,
  `comment on column proxies.address_since is 'what was observed before is about another address'`,

  `create table leases (
    name text collate "C" not null,
    holder text collate "C",
    epoch bigint not null,
    expires_at timestamptz not null,
    constraint leases_pkey primary key (name)
  ) with (fillfactor = 50)`,
  `comment on column leases.holder is 'null after it was given up; the epoch stays'`,

  `create table component_status (
    component text collate "C" not null,
    detail json not null,
    holder text not null,
    at timestamptz(3) not null,
    constraint component_status_pkey primary key (component)
  ) with (fillfactor = 50)`,

  `create table load_balancer_versions (
    id text collate "C" not null,
    revision bigint not null,
    hash text not null,
    type text not null,
    method text not null,
    result text not null,
    reason text,
    actor text not null,
    at timestamptz(3) not null,
    duration_ms double precision not null,
    constraint load_balancer_versions_pkey primary key (id)
  )`,

  `create table reload_requests (
    id text collate "C" not null,
    actor text not null,
    requested_at timestamptz(3) not null default clock_timestamp(),
    version_id text collate "C",
    constraint reload_requests_pkey primary key (id)
  )`,

  `create table action_records (
    sequence bigint not null,
    at timestamptz(3) not null,
    tenant_id text collate "C",
    namespace text collate "C",
    session_id text,
    user_id text not null,
    action text collate "C" not null,
    resource text not null,
    result text not null,
    rows_accessed bigint,
    pii_accessed boolean,
    detail json,
    previous_hash text not null,
    hash text not null,
    constraint action_records_pkey primary key (sequence)
  )`,
  `create index action_records_tenant_idx on action_records (tenant_id, sequence) where tenant_id is not null`,
  `create index action_records_namespace_idx on action_records (namespace, sequence) where namespace is not null`,
  `create index action_records_action_idx on action_records (action, sequence)`,

  // Two rows, so that removing the oldest records does not keep new ones waiting.
  `create table action_chain (
    name text collate "C" not null,
    sequence bigint not null,
    hash text not null,
    constraint action_chain_pkey primary key (name)
  ) with (fillfactor = 10)`,
  `comment on table action_chain is 'the last record that was removed, and the last one that there is'`,
  `insert into action_chain (name, sequence, hash)
    values ('removed', 0, repeat('0', 64)), ('head', 0, repeat('0', 64))`,
];

export const controlPlaneMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
