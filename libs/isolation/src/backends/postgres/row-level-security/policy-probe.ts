import type { Client } from 'pg';
import type { TenantTable } from './tenant-tables.js';

/** A tenant that cannot exist, because the name is not a label. */
const OTHER_TENANT = 'nobody.palisade';

/** What is done to rows, and which policies they have to pass then. */
const DEEDS = [
  { verb: 'read', command: 'r', isCheck: false },
  { verb: 'insert', command: 'a', isCheck: true },
  { verb: 'update', command: 'w', isCheck: false },
  { verb: 'write', command: 'w', isCheck: true },
  { verb: 'delete', command: 'd', isCheck: false },
] as const;

const ALL_COMMANDS = '*';

export interface Policy {
  readonly command: string;
  readonly isPermissive: boolean;
  readonly using: string | null;
  readonly check: string | null;
}

/** The policies of a table that apply to the role. */
const FIND_POLICIES = `
  select p.polcmd as command, p.polpermissive as "isPermissive",
    pg_get_expr(p.polqual, p.polrelid) as using, pg_get_expr(p.polwithcheck, p.polrelid) as check
  from pg_policy p
  where p.polrelid = $1::oid
    and (0 = any(p.polroles) or exists (select from unnest(p.polroles) as r where pg_has_role(r, 'usage')))`;

/** Its columns as literals: the tenant column is a parameter, the others are null. Of domains the type beneath. */
const FIND_COLUMNS = `
  select string_agg(
    format('%s::%s as %I', case when a.attname = $2 then '$1' else 'null' end, format_type(
      coalesce(nullif(t.typbasetype, 0), t.oid), case when t.typbasetype = 0 then a.atttypmod else t.typtypmod end
    ), a.attname), ', ' order by a.attnum) as columns
  from pg_attribute a join pg_type t on t.oid = a.atttypid
  where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped`;

/** What a row of a tenant meets: to pass, not to pass, or the reason why that cannot be told. */
type Verdict = boolean | string;

/** Evaluates the policies of one table for rows that do not exist. */
export class PolicyProbe {
  readonly #client: Client;
  readonly #table: TenantTable;
  readonly #policies: readonly Policy[];
  readonly #source: string;

  private constructor(client: Client, table: TenantTable, policies: readonly Policy[], source: string) {
    this.#client = client;
    this.#table = table;
    this.#policies = policies;
    this.#source = source;
  }

  static async prepare(client: Client, table: TenantTable, tenantColumn: string): Promise<PolicyProbe> {
    const { rows: policies } = await client.query<Policy>(FIND_POLICIES, [table.oid]);
    const { rows } = await client.query<{ columns: string }>(FIND_COLUMNS, [table.oid, tenantColumn]);
    return new PolicyProbe(client, table, policies, `(select ${rows[0]?.columns}) as ${table.alias}`);
  }

  /** What the role might do to rows of other tenants. */
  async findLeaks(circumstance: string): Promise<string[]> {
    if (this.#policies.length === 0) {
      return [];
    }
    const problems: string[] = [];
    for (const deed of DEEDS) {
      const verdict = await this.#judge(deed, OTHER_TENANT);
      if (verdict === true) {
        problems.push(this.#describe(`let the role ${deed.verb} rows of other tenants${circumstance}`));
      }
    }
    return problems;
  }

  /** Why the role would not see rows of its own tenant, or whether that cannot be told. */
  async findObstacles(own: string): Promise<string[]> {
    if (this.#policies.length === 0) {
      return [`table ${this.#table.name}: has no policy for the role`];
    }
    const verdicts = new Map<string, Verdict>();
    for (const deed of DEEDS) {
      for (const tenant of [own, OTHER_TENANT]) {
        verdicts.set(`${deed.verb} ${tenant}`, await this.#judge(deed, tenant));
      }
    }
    const unclear = [...new Set(verdicts.values())].filter((verdict) => typeof verdict === 'string');
    return [
      ...unclear.map((reason) => this.#describe(`cannot be evaluated: ${reason}`)),
      ...(verdicts.get(`read ${own}`) === false
        ? [this.#describe('do not let the role read rows of its own tenant')]
        : []),
    ];
  }

  async #judge(deed: (typeof DEEDS)[number], tenant: string): Promise<Verdict> {
    const text = `select ${combine(this.#policies, deed)} as passes from ${this.#source}`;
    await this.#client.query('savepoint probe');
    try {
      const { rows } = await this.#client.query<{ passes: boolean }>(text, [tenant]);
      return rows[0]?.passes ?? false;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await this.#client.query('rollback to savepoint probe');
    }
  }

  #describe(what: string): string {
    return `table ${this.#table.name}: its policies ${what}`;
  }
}

/**
 * The condition that policies make together, as the server combines them: one permissive one has to allow the row, and
 * every restrictive one.
 */
export function combine(
  policies: readonly Policy[],
  { command, isCheck }: { readonly command: string; readonly isCheck: boolean },
): string {
  const conditionsOf = (isPermissive: boolean) =>
    policies
      .filter((policy) => policy.isPermissive === isPermissive)
      .filter((policy) => policy.command === command || policy.command === ALL_COMMANDS)
      .map(({ using, check }) => (isCheck ? (check ?? using) : using))
      .filter((condition) => condition !== null)
      .map((condition) => `coalesce((${condition}), false)`);
  const [permissive, restrictive] = [conditionsOf(true), conditionsOf(false)];
  return `(${[`(${['false', ...permissive].join(' or ')})`, ...restrictive].join(' and ')})`;
}
