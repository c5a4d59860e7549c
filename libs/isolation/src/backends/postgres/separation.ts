import type { NamespaceId } from '@palisade/domain';

/** The server's setting that holds the tenant for the length of a transaction, in the mode `setting`. */
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
  /** The column that says whose a row is. It holds the namespace. */
  readonly tenantColumn: string;
  /**
   * Every table with rows of tenants, named as in SQL: `orders`, `sales.orders`, `"Orders"`. The preflight looks at these,
   * and at what else leads to their rows.
   */
  readonly tables: readonly string[];
  /** The namespace as which the preflight connects; needed where the configuration is by namespace. It need have no rows. */
  readonly preflightNamespace?: NamespaceId;
}

/**
 * All namespaces share tables, and policies of the server show each its own rows. Which mode depends on who writes the SQL:
 *
 * - `setting`: all log in as one role; each statement names its tenant (`app.tenant_id`), and the policies compare with
 *   that. It protects from forgotten conditions and from hostile values. It does not protect from hostile SQL, which could
 *   set another tenant. Choose it when your own program writes every statement.
 * - `role`: each namespace logs in as a role of its own, and the policies compare with `current_user`, which no SQL can
 *   change. Choose it when tenants, or others who must not see all data, shape statements. It takes a
 *   role for each namespace (`PostgresProvisioner` makes them).
 */
export type RowLevelSecuritySeparation = RowLevelSecurityOptions &
  (
    | { readonly mode: 'setting' }
    | {
        readonly mode: 'role';
        /** What the name of a namespace's role has before the namespace. Default `tenant_`. */
        readonly rolePrefix?: string;
      }
  );

export type PostgresSeparation = PhysicalSeparation | RowLevelSecuritySeparation;

/**
 * The role of a namespace in the mode `role`.
 *
 * @throws {RangeError} when PostgreSQL would cut the name off, or it could be that of any role
 */
export function roleOf(namespace: NamespaceId, prefix = DEFAULT_ROLE_PREFIX): string {
  const role = prefix + namespace;
  if (prefix === '') {
    throw new RangeError('rolePrefix: expected one, so that no namespace has the name of another role');
  }
  if (Buffer.byteLength(role) > MAX_ROLE_NAME_LENGTH) {
    throw new RangeError(`role "${role}": expected at most ${MAX_ROLE_NAME_LENGTH} bytes, with the prefix`);
  }
  return role;
}
