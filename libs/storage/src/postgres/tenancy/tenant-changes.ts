import type { TenantChanges, TenantId } from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { TENANT_COLUMNS, type TenantRow, toTenant } from './tenant-sql.js';

/** One statement sees one snapshot: a tenant is either present or removed, and no revision in between is missing. */
export const CHANGES = prepared(`
  with page as (
    (select revision, id, false as removed from tenants where revision > $1 order by revision limit $2)
    union all
    (select revision, tenant_id, true from tenant_removals where revision > $1 order by revision limit $2)
    order by revision
    limit $2
  )
  select registry.revision as latest, page.revision as changed_at, page.id as changed_id, page.removed,
    ${TENANT_COLUMNS.replaceAll(/\w+/g, 'tenants.$&')}
  from registry
  left join page on true
  left join tenants on not page.removed and tenants.id = page.id
  where registry.name = 'tenants'
  order by page.revision`);

interface ChangeRow extends TenantRow {
  readonly latest: number;
  /** Null when there is no change. */
  readonly changed_at: number | null;
  readonly changed_id: TenantId;
  readonly removed: boolean;
}

export async function readChanges(connection: Connection, revision: number, limit: number): Promise<TenantChanges> {
  const query = CompiledQuery.raw(CHANGES, [revision, limit + 1]);
  const { rows } = await connection.executeQuery<ChangeRow>(query);
  const changes = rows.filter((row) => row.changed_at !== null);
  const page = changes.slice(0, limit);
  const hasMore = changes.length > page.length;
  const share = sharing();
  return {
    revision: (hasMore ? page.at(-1)?.changed_at : rows[0]?.latest) ?? revision,
    changed: page.filter(({ removed }) => !removed).map((row) => toTenant(share(row))),
    removed: page.filter(({ removed }) => removed).map((row) => row.changed_id),
    hasMore,
  };
}

/** Gives equal names of one page one string: who keeps 100,000 tenants keeps the name of their pool a few times only. */
function sharing(): (row: ChangeRow) => ChangeRow {
  const known = new Map<string, string>();
  const same = <T extends string | null>(name: T): T => {
    if (name === null) {
      return name;
    }
    if (!known.has(name)) {
      known.set(name, name);
    }
    return known.get(name) as T;
  };
  return (row) => ({ ...row, pool: same(row.pool), source: same(row.source), tier: same(row.tier) });
}
