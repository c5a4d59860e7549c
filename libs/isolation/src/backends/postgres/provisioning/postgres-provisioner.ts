import type { NamespaceId, TenantId } from '@palisade/domain';
import type { ClientConfig } from 'pg';
import { mainNamespace } from '../../../tenant-namespace.js';
import { Client, DatabaseError } from '../pg-package.js';
import { RowLevelSecurityError } from '../postgres.errors.js';
import { DEFAULT_ROLE_PREFIX, TENANT_SETTING, roleOf, tenantValue } from '../separation.js';
import { type Change, quoteName } from './change.js';
import { TABLE_PRIVILEGES, planGrants, type TablePrivilege } from './plan-grants.js';
import { findOwned, hasRole, planRole } from './plan-role.js';
import {
  findProvisionedTables,
  planTable,
  policyCondition,
  type ProvisionedTable,
  type TenantLogin,
} from './plan-tables.js';
import { withCredentials } from '../credentials.js';
import { actAs, deleteRows, dropRole, lockOut } from './remove-role.js';
import { generatePassword } from '../../passwords.js';
import { scramVerifier } from './scram-verifier.js';

export interface PostgresProvisionerOptions {
  /** How to connect as a role that owns the tables and may create roles. */
  readonly config: ClientConfig;
  /** Every table with rows of tenants, named as in SQL. */
  readonly tables: readonly string[];
  /** Text, and not null. */
  readonly tenantColumn: string;
  readonly login: TenantLogin;
  /** What the role may do to the tables. Default all of `SELECT`, `INSERT`, `UPDATE` and `DELETE`. */
  readonly privileges?: readonly TablePrivilege[];
  /** Connections of the role at most. Default any number. */
  readonly connectionLimit?: number;
}

export interface Provisioned {
  readonly role: string;
  /** Present when it was generated. It is kept nowhere, so this is the only chance to store it. */
  readonly password?: string;
  /** What was changed, in order; empty when everything was so already. */
  readonly changes: readonly string[];
}

export interface Removal {
  readonly rows: 'keep' | 'delete';
  /** Those of the tenant whose rows are deleted. Default: the one that has the tenant's name. */
  readonly namespaces?: readonly NamespaceId[];
}

export interface Removed {
  readonly deletedRows: number;
  readonly changes: readonly string[];
}

const INVALID_PASSWORD = '28P01';

/** Provisioners take turns. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('palisade provisioning', 0))`;

/**
 * Makes what row-level security needs on the server: roles, their privileges, and a policy on each table. Each method does
 * all of its work or none, and can be repeated; it looks at what is there, and changes what differs.
 */
export class PostgresProvisioner {
  readonly #options: PostgresProvisionerOptions;
  readonly #privileges: readonly TablePrivilege[];

  constructor(options: PostgresProvisionerOptions) {
    this.#options = options;
    this.#privileges = options.privileges ?? TABLE_PRIVILEGES;
  }

  /**
   * Has a tenant be able to log in and reach the rows of its namespaces, and nobody else's.
   *
   * @param password of the role, 16 to 1,024 printable ASCII characters; a role that is new gets a generated one without
   * @throws {RowLevelSecurityError} when the role owns anything, or has privileges that were given to it on purpose
   * @throws {RangeError} when names or tables are invalid
   */
  provision(tenantId: TenantId, { password }: { readonly password?: string } = {}): Promise<Provisioned> {
    const role = this.#roleOf(tenantId);
    return this.#transaction(async (client) => {
      const tables = await this.#findTables(client);
      const given = password ?? ((await hasRole(client, role)) ? undefined : generatePassword());
      const verifier = given === undefined ? undefined : scramVerifier(given);
      const changes = [
        ...(await execute(client, await this.#planRole(client, role, verifier))),
        ...(await execute(client, await planGrants(client, role, tables, this.#privileges))),
        ...(await execute(client, await this.#planTables(client, tables))),
      ];
      return { role, ...(password === undefined && given !== undefined && { password: given }), changes };
    });
  }

  /**
   * How what is there differs from what {@link provision} makes, which repairs it; empty when it does not. A role can
   * change its own password: with the password that it should have, a login says whether it has.
   */
  verify(tenantId: TenantId, { password }: { readonly password?: string } = {}): Promise<readonly string[]> {
    const role = this.#roleOf(tenantId);
    return this.#transaction(async (client) => {
      const tables = await this.#findTables(client);
      const isThere = await hasRole(client, role);
      const changes = [
        ...(await this.#planRole(client, role)),
        ...(isThere ? await planGrants(client, role, tables, this.#privileges) : []),
        ...(await this.#planTables(client, tables)),
      ];
      const { largeObjects } = await findOwned(client, role);
      const isPasswordWrong = isThere && password !== undefined && !(await this.#canLogIn(role, password));
      return [
        ...changes.map(({ description }) => description),
        ...(isPasswordWrong ? [`role ${quoteName(role)}: has another password`] : []),
        ...(largeObjects > 0 && this.#isOfOneTenant
          ? [`role ${quoteName(role)}: owns ${largeObjects} large objects, which go with it`]
          : []),
      ];
    });
  }

  /**
   * Removes the tenant's role, if it has one of its own: nobody can log in as it from the beginning on, and connections
   * are ended. The rows are kept or deleted, in one statement.
   *
   * @throws {RowLevelSecurityError} when the role owns anything; it can no longer log in then
   */
  async remove(tenantId: TenantId, { rows, namespaces = [mainNamespace(tenantId)] }: Removal): Promise<Removed> {
    const { login } = this.#options;
    const role = this.#roleOf(tenantId);
    const ownRole = login.mode === 'role' ? role : undefined;
    const isThere = ownRole !== undefined && (await this.#transaction((client) => hasRole(client, ownRole)));
    if (isThere) {
      await this.#transaction((client) => lockOut(client, ownRole));
    }
    return this.#transaction(async (client) => {
      const deletedRows = rows === 'delete' ? await this.#deleteRows(client, tenantId, namespaces, ownRole) : 0;
      if (!isThere) {
        return { deletedRows, changes: [] };
      }
      const name = `role ${quoteName(ownRole)}`;
      const largeObjects = await dropRole(client, ownRole);
      const changes = [
        ...(largeObjects > 0 ? [`${name}: ${largeObjects} large objects removed`] : []),
        `${name}: removed`,
      ];
      return { deletedRows, changes };
    });
  }

  #roleOf(tenantId: TenantId): string {
    const { login } = this.#options;
    return login.mode === 'setting' ? login.role : roleOf(tenantId, login.rolePrefix);
  }

  #findTables(client: Client): Promise<ProvisionedTable[]> {
    return findProvisionedTables(client, this.#options.tables, this.#options.tenantColumn);
  }

  #planRole(client: Client, name: string, verifier?: string): Promise<Change[]> {
    const { connectionLimit = -1 } = this.#options;
    return planRole(client, { name, connectionLimit, verifier, isOfOneTenant: this.#isOfOneTenant });
  }

  get #isOfOneTenant(): boolean {
    return this.#options.login.mode === 'role';
  }

  async #canLogIn(role: string, password: string): Promise<boolean> {
    const client = new Client(withCredentials(this.#options.config, { user: role, password }));
    client.on('error', () => {}); // what breaks the connection also fails the login
    try {
      await client.connect();
      return true;
    } catch (error) {
      if (error instanceof DatabaseError && error.code === INVALID_PASSWORD) {
        return false;
      }
      throw error;
    } finally {
      await client.end();
    }
  }

  async #planTables(client: Client, tables: readonly ProvisionedTable[]): Promise<Change[]> {
    const { tenantColumn, login } = this.#options;
    const rolePrefix = login.mode === 'role' ? (login.rolePrefix ?? DEFAULT_ROLE_PREFIX) : '';
    const condition = policyCondition(tenantColumn, login.mode, rolePrefix);
    const changes: Change[] = [];
    for (const table of tables) {
      changes.push(...(await planTable(client, table, { tenantColumn, condition })));
    }
    return changes;
  }

  async #deleteRows(
    client: Client,
    tenantId: TenantId,
    namespaces: readonly NamespaceId[],
    ownRole: string | undefined,
  ): Promise<number> {
    const tables = await this.#findTables(client);
    const deleteAll = async (): Promise<number> => {
      let deleted = 0;
      for (const namespace of namespaces) {
        const value = tenantValue({ tenantId, namespace });
        // The policies bind the owner as well.
        await client.query('select set_config($1, $2, true)', [TENANT_SETTING, value]);
        deleted += await deleteRows(client, tables, this.#options.tenantColumn, value);
      }
      return deleted;
    };
    return ownRole === undefined ? deleteAll() : actAs(client, ownRole, tables, deleteAll);
  }

  async #transaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client(this.#options.config);
    // What breaks the connection also fails the statement.
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query('begin');
      await client.query(LOCK);
      const result = await work(client);
      await client.query('commit');
      return result;
    } finally {
      // Rolls back what was not committed.
      await client.end();
    }
  }
}

/** @throws {RowLevelSecurityError} when there is a change that no statement makes; then none is made */
async function execute(client: Client, changes: readonly Change[]): Promise<string[]> {
  const impossible = changes.filter(({ statement }) => statement === undefined);
  if (impossible.length > 0) {
    throw new RowLevelSecurityError(impossible.map(({ description }) => description));
  }
  for (const { statement = '' } of changes) {
    await client.query(statement);
  }
  return changes.map(({ description }) => description);
}
