import { sql, type Kysely, type Migration } from 'kysely';

/**
 * Provider first in every key, so that the tables distribute by provider, and text in code point order (COLLATE "C")
 * whatever the database's own order is.
 */
const STATEMENTS = [
  `create table resources (
    provider_id text collate "C" not null,
    id text collate "C" not null,
    resource_type text collate "C" not null check (resource_type in ('User', 'Group')),
    sequence bigint not null generated always as identity,
    external_id text collate "C",
    attributes json not null,
    search jsonb not null,
    user_name text collate "C" generated always as (left(search -> provider_id ->> 'userName', 512)) stored,
    display_name text collate "C" generated always as (left(search -> provider_id ->> 'displayName', 512)) stored,
    active boolean generated always as (search -> provider_id ->> 'active' = 'true') stored,
    label text collate "C"
      generated always as (coalesce(attributes ->> 'displayName', attributes ->> 'userName')) stored,
    member_count integer not null default 0,
    version bigint not null default 1,
    created_at timestamptz(3) not null,
    modified_at timestamptz(3) not null,
    constraint resources_pkey primary key (provider_id, id),
    constraint resources_external_id_key unique (provider_id, resource_type, external_id) include (sequence),
    constraint resources_user_name_key unique (provider_id, user_name) include (resource_type, sequence)
  )`,
  `comment on column resources.attributes is 'as the client wrote them'`,
  `comment on column resources.search is 'the same made comparable, under the provider id'`,
  `comment on column resources.user_name is 'first 512 characters of the folded userName'`,
  `comment on column resources.display_name is 'first 512 characters of the folded displayName'`,
  `comment on column resources.label is 'what members and groups are displayed as'`,
  `create unique index resources_sequence_key on resources (provider_id, resource_type, sequence)`,
  `create index resources_display_name_idx on resources (provider_id, resource_type, display_name, sequence)`,
  `create index resources_created_at_idx on resources (provider_id, resource_type, created_at, sequence)`,
  `create index resources_modified_at_idx on resources (provider_id, resource_type, modified_at, sequence)`,
  // jsonb_path_ops hashes the whole path with the value. The path begins with the provider, so no search for a value
  // ever touches what another provider stored: docs/adr/0005-one-table-with-search-document.md. Entries go into the
  // index at once (no fastupdate), because a search would have to read all that wait in the pending list.
  `create index resources_search_idx on resources using gin (search jsonb_path_ops) with (fastupdate = off)`,
  // Samples of whole documents tell nothing about a value inside of them, and planning would try each of them.
  `alter table resources alter column search set statistics 0`,

  // Exact, as each is changed together with the resources: docs/adr/0012-counted-buckets.md. Rows are updated again and
  // again, which is cheap as long as their page has room for another version.
  `create table resource_counts (
    provider_id text collate "C" not null,
    resource_type text collate "C" not null,
    bucket bigint not null,
    shard smallint not null,
    count integer not null,
    constraint resource_counts_pkey primary key (provider_id, resource_type, bucket, shard)
  ) with (fillfactor = 50)`,
  `comment on column resource_counts.bucket is 'sequence >> 12 of the resources counted'`,
  `comment on column resource_counts.shard is 'sequence % 16; a bucket holds the sum of its shards'`,

  `create table memberships (
    provider_id text collate "C" not null,
    group_id text collate "C" not null,
    member_id text collate "C" not null,
    position bigint not null generated always as identity,
    constraint memberships_pkey primary key (provider_id, group_id, member_id)
  )`,
  `create index memberships_member_idx on memberships (provider_id, member_id, group_id)`,

  `create table bindings (
    provider_id text collate "C" not null,
    bound_subject text collate "C" not null,
    namespace text collate "C" not null,
    relation text collate "C" not null,
    source text collate "C" not null,
    approved_by text not null,
    created_at timestamptz(3) not null,
    constraint bindings_pkey primary key (provider_id, bound_subject, namespace, relation)
  )`,
  `create index bindings_namespace_idx on bindings (namespace, bound_subject, relation)`,

  `create table providers (
    id text collate "C" not null,
    display_name text,
    settings jsonb not null,
    created_at timestamptz(3) not null,
    modified_at timestamptz(3) not null,
    constraint providers_pkey primary key (id)
  )`,
  `create index providers_issuer_idx on providers using gin ((settings -> 'trustedIssuers') jsonb_path_ops)`,

  `create table provider_tokens (
    provider_id text collate "C" not null references providers (id) on delete cascade,
    id text collate "C" not null,
    sequence bigint not null generated always as identity,
    kind text collate "C" not null,
    description text,
    digest text collate "C" not null,
    hint text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    revoked_at timestamptz(3),
    constraint provider_tokens_pkey primary key (provider_id, id),
    constraint provider_tokens_digest_key unique (digest)
  )`,
  `create unique index provider_tokens_id_key on provider_tokens (id)`,

  `create table signing_keys (
    purpose text collate "C" not null,
    jwk text not null,
    created_at timestamptz(3) not null default now(),
    constraint signing_keys_pkey primary key (purpose)
  )`,

  `create table audit_events (
    sequence bigint not null generated always as identity,
    at timestamptz(3) not null,
    actor text not null,
    action text collate "C" not null,
    resource text not null,
    result text collate "C" not null,
    provider text collate "C",
    namespace text collate "C",
    request_id text,
    detail json,
    constraint audit_events_pkey primary key (sequence)
  )`,
  `create index audit_events_provider_idx on audit_events (provider, sequence)`,
  `create index audit_events_namespace_idx on audit_events (namespace, sequence)`,
];

export const directoryMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await sql.raw(statement).execute(db);
    }
  },
};
