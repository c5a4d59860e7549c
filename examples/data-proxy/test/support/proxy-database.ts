import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { createScratchDatabase, type ScratchDatabase } from '../../../../libs/storage/test/scratch-database.js';

/** A database of its own, whose role the proxy makes, looked at from outside. */
export class ProxyDatabase implements AsyncDisposable {
  readonly adminUrl: string;
  readonly roleUrl: string;

  private constructor(
    private readonly scratch: ScratchDatabase,
    private readonly role: string,
    readonly admin: Client,
  ) {
    this.adminUrl = scratch.url;
    const url = new URL(scratch.url);
    url.username = role;
    url.password = randomBytes(16).toString('hex');
    this.roleUrl = url.href;
  }

  static async create(): Promise<ProxyDatabase> {
    const scratch = await createScratchDatabase();
    const admin = new Client({ connectionString: scratch.url });
    await admin.connect();
    return new ProxyDatabase(scratch, `proxy_${randomBytes(6).toString('hex')}`, admin);
  }

  /** Connections of the proxy. */
  async countConnections(): Promise<number> {
    const text = 'select count(*)::int as count from pg_stat_activity where usename = $1';
    const { rows } = await this.admin.query<{ count: number }>(text, [this.role]);
    return rows[0]?.count ?? 0;
  }

  /** Tenants that have notes, and how many, past all policies. */
  async countNotes(): Promise<Record<string, number>> {
    const text = 'select tenant_id, count(*)::int as count from notes group by tenant_id';
    const { rows } = await this.admin.query<{ tenant_id: string; count: number }>(text);
    return Object.fromEntries(rows.map(({ tenant_id: tenant, count }) => [tenant, count]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.admin.query(`drop owned by ${this.role} cascade; drop role ${this.role}`).catch(() => {}); // not made
    await this.admin.end();
    await this.scratch.drop();
  }
}
