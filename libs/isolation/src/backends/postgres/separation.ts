import type { TenantId } from '@palisade/domain';
import type { TenantNamespace } from '../../tenant-namespace.js';

/** The server's setting that says whose rows are seen: a value of the tenant column, see {@link tenantValue}. */
export const TENANT_SETTING = 'app.tenant_id';

/** What the roles of tenants begin with, in the mode `role`, unless told otherwise. */
export const DEFAULT_ROLE_PREFIX = 'tenant_';

/** PostgreSQL cuts longer names off, so that two of them could become one. */
const MAX_ROLE_NAME_LENGTH = 63;

/** Each namespace has servers or databases of its own: the driver's `config` names them. */
export interface PhysicalSeparation {
  readonly type: 'physical';
}

interface RowLevelSecurityOptions {
  readonly type: 'row_level_security';
  /**
   * The column that says whose a row is: the tenant's id in rows of the namespace that has the tenant's name,
   * `<tenant_id>/<namespace>` in those of other namespaces of the tenant.
   */
  readonly tenantColumn: string;
  /**
   * Every table with rows of tenants, named as in SQL: `orders`, `sales.orders`, `"Orders"`. The preflight looks at these,
   * and at what else leads to their rows.
   */
  readonly tables: readonly string[];
  /** The tenant as which the preflight connects; needed where the configuration is by tenant. It need have no rows. */
  readonly preflightTenant?: TenantId;
}

/**
 * All namespaces share tables, and policies of the server show each its own rows. Which mode depends on who writes the SQL:
 *
 * - `setting`: all log in as one role; each statement says whose it is (`app.tenant_id`), and the policies compare with
 *   that. It protects from forgotten conditions and from hostile values. It does not protect from hostile SQL, which could
 *   set another tenant. Choose it when your own program writes every statement.
 * - `role`: each tenant logs in as a role of its own, and the policies compare with `current_user` as well, which no SQL can
 *   change. Choose it when tenants, or others who must not see all data, shape statements: hostile SQL can set another
 *   namespace of the same tenant, and no other tenant. It takes a role for each tenant (`PostgresProvisioner` makes them).
 */
export type RowLevelSecuritySeparation = RowLevelSecurityOptions &
  (
    | { readonly mode: 'setting' }
    | {
        readonly mode: 'role';
        /** What the name of a tenant's role has before the tenant's id. Default `tenant_`. */
        readonly rolePrefix?: string;
      }
  );

export type PostgresSeparation = PhysicalSeparation | RowLevelSecuritySeparation;

/** Between a tenant's id and a namespace; it cannot occur in either. */
const DELIMITER = '/';

/**
 * What the tenant column holds in rows of a namespace. No two namespaces have the same, and one that has the name of its
 * tenant has the tenant's id.
 */
export function tenantValue({ tenantId, namespace }: TenantNamespace): string {
  const [tenant, own]: readonly string[] = [tenantId, namespace];
  return tenant === own ? tenantId : `${tenantId}${DELIMITER}${namespace}`;
}

/** SQL for the tenant's id within a text that {@link tenantValue} has made. */
export function tenantOfValue(sql: string): string {
  return `split_part(${sql}, '${DELIMITER}', 1)`;
}

/**
 * The role of a tenant in the mode `role`.
 *
 * @throws {RangeError} when PostgreSQL would cut the name off, or it could be that of any role
 */
export function roleOf(tenantId: TenantId, prefix = DEFAULT_ROLE_PREFIX): string {
  const role = prefix + tenantId;
  if (prefix === '') {
    throw new RangeError('rolePrefix: expected one, so that no tenant has the name of another role');
  }
  if (Buffer.byteLength(role) > MAX_ROLE_NAME_LENGTH) {
    throw new RangeError(`role "${role}": expected at most ${MAX_ROLE_NAME_LENGTH} bytes, with the prefix`);
  }
  return role;
}
