import {
  type ComponentStatus,
  type HeldLease,
  LeaseLostError,
  type LoadBalancerVersion,
  OperationsStore,
  RELOAD_REQUEST_LIFETIME_MS,
  type ReloadRequest,
} from '@palisade/domain';
import { CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely';
import {
  MAX_KEPT_VERSIONS,
  requireStorableStatus,
  storableReloadRequest,
  storableVersion,
} from '../../operations-content.js';
import { isStorable } from '../../storable-text.js';
import type { Database } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import type { LoadBalancerVersionsTable } from '../connection/tables.js';

/** The lock keeps the lease with its holder until the write is committed. */
const CURRENT = `
  with current as (
    select name from leases where name = $1 and holder = $2 and epoch = $3 for share
  )`;

const RECORD_VERSION = prepared(`
  ${CURRENT}, outdated as (
    delete from load_balancer_versions using current
    where id in (select id from load_balancer_versions order by id desc offset ${MAX_KEPT_VERSIONS})
  ), recorded as (
    insert into load_balancer_versions
      (id, revision, epoch, hash, type, method, result, reason, actor, at, duration_ms)
    select $4, $5::bigint, $6::bigint, $7, $8, $9, $10, $11, $12, $13::timestamptz, $14::double precision from current
    on conflict do nothing
  )
  select name from current`);

const REPORT = prepared(`
  ${CURRENT}, reported as (
    insert into component_status as status (component, detail, holder, at)
    select $4, $5::json, $6, $7::timestamptz from current
    on conflict (component) do update
    set detail = excluded.detail, holder = excluded.holder, at = excluded.at
  )
  select name from current`);

const ANSWER_RELOADS = prepared(`
  ${CURRENT}, answered as (
    update reload_requests set version_id = $5 from current where id = any($4::text[])
  )
  select name from current`);

/** By then the asker has read the answer. */
const FORGOTTEN_AFTER_SECONDS = (10 * RELOAD_REQUEST_LIFETIME_MS) / 1000;
const MAX_PENDING_RELOADS = 100;

export class PostgresOperationsStore extends OperationsStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async recordVersion(version: LoadBalancerVersion, lease: HeldLease): Promise<void> {
    const { id, revision, epoch, hash, type, method, result, reason, actor, at, durationMs } = storableVersion(version);
    const values = [id, revision, epoch, hash, type, method, result, reason, actor, at, durationMs];
    await this.write(RECORD_VERSION, values, lease);
  }

  override async listVersions({
    before,
    limit,
  }: {
    readonly before?: string;
    readonly limit: number;
  }): Promise<LoadBalancerVersion[]> {
    if (before !== undefined && !isStorable(before)) {
      return [];
    }
    const rows = await this.database.run((connection) => {
      const query = connection.selectFrom('load_balancer_versions').selectAll().orderBy('id', 'desc').limit(limit);
      return (before === undefined ? query : query.where('id', '<', before)).execute();
    });
    return rows.map(toVersion);
  }

  override async report(status: ComponentStatus, lease: HeldLease): Promise<void> {
    requireStorableStatus(status);
    const { component, detail, holder, at } = status;
    await this.write(REPORT, [component, JSON.stringify(detail), holder, at], lease);
  }

  override statuses(): Promise<ComponentStatus[]> {
    return this.database.run((connection) =>
      connection.selectFrom('component_status').selectAll().orderBy('component').execute(),
    );
  }

  override async requestReload(request: ReloadRequest): Promise<void> {
    const { id, actor } = storableReloadRequest(request);
    await this.database.run(async (connection) => {
      await connection
        .deleteFrom('reload_requests')
        .where('requested_at', '<', secondsAgo(FORGOTTEN_AFTER_SECONDS))
        .execute();
      await connection
        .insertInto('reload_requests')
        .values({ id, actor })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  override async pendingReloads(): Promise<ReloadRequest[]> {
    const rows = await this.database.run((connection) =>
      connection
        .selectFrom('reload_requests')
        .select(['id', 'actor', 'requested_at'])
        .where('version_id', 'is', null)
        .where('requested_at', '>=', secondsAgo(RELOAD_REQUEST_LIFETIME_MS / 1000))
        .orderBy('id')
        .limit(MAX_PENDING_RELOADS)
        .execute(),
    );
    return rows.map(({ id, actor, requested_at }) => ({ id, actor, at: requested_at }));
  }

  override async answerReloads(requestIds: readonly string[], versionId: string, lease: HeldLease): Promise<void> {
    await this.write(ANSWER_RELOADS, [requestIds, versionId], lease);
  }

  override async findReloadAnswer(requestId: string): Promise<LoadBalancerVersion | undefined> {
    if (!isStorable(requestId)) {
      return undefined;
    }
    const row = await this.database.run((connection) =>
      connection
        .selectFrom('reload_requests as request')
        .innerJoin('load_balancer_versions as version', 'version.id', 'request.version_id')
        .selectAll('version')
        .where('request.id', '=', requestId)
        .executeTakeFirst(),
    );
    return row && toVersion(row);
  }

  /** @throws {LeaseLostError} */
  private async write(statement: string, values: readonly unknown[], lease: HeldLease): Promise<void> {
    const { name, holder, epoch } = lease;
    if (!isStorable(name + holder)) {
      throw new LeaseLostError(name, epoch);
    }
    const query = CompiledQuery.raw(statement, [name, holder, epoch, ...values]);
    const { rows } = await this.database.run((connection) => connection.executeQuery(query));
    if (rows.length === 0) {
      throw new LeaseLostError(name, epoch);
    }
  }
}

function toVersion(row: Selectable<LoadBalancerVersionsTable>): LoadBalancerVersion {
  const { reason, epoch, duration_ms, ...rest } = row;
  return { ...rest, ...(epoch !== null && { epoch }), ...(reason !== null && { reason }), durationMs: duration_ms };
}

function secondsAgo(seconds: number): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`;
}
