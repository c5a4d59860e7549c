import { escapeLiteral } from 'pg';
import { TENANT_SETTING } from '../separation.js';
import { quoteName } from './quote-name.js';

/** Which login tells the tenant, see `RowLevelSecuritySeparation`. */
export type TenantLogin =
  | {
      readonly mode: 'setting';
      /** The role that all namespaces log in as. */
      readonly role: string;
    }
  | {
      readonly mode: 'role';
      /** What the name of a namespace's role has before the namespace. Default `tenant_`. */
      readonly rolePrefix?: string;
    };

export const POLICY_NAME = 'palisade_tenant';

/**
 * The condition of the policy on each table. The subquery is evaluated once for a statement, not once for a row; it is null
 * when there is no tenant, and then no row passes.
 */
export function policyCondition(tenantColumn: string, mode: 'setting' | 'role', rolePrefix: string): string {
  return `${quoteName(tenantColumn)} = (select ${mode === 'setting' ? settingOf() : suffixOf(rolePrefix)})`;
}

/** Empty, not null, once a transaction that has set it is over. */
function settingOf(): string {
  return `nullif(current_setting(${escapeLiteral(TENANT_SETTING)}, true), '')`;
}

function suffixOf(rolePrefix: string): string {
  const prefix = escapeLiteral(rolePrefix);
  const start = [...rolePrefix].length + 1;
  return `case when starts_with(current_user::text, ${prefix}) then substr(current_user::text, ${start}) end`;
}
