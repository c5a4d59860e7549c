import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseNamespaceId } from '@palisade/domain';
import { TenantSecrets } from '@palisade/isolation';
import { Client } from 'pg';
import { createScratchDatabase, type ScratchDatabase } from '../../../libs/storage/test/scratch-database.js';
import { requireBinary, startOwnRedis, type OwnServer, type UrlServer } from '../test-services.js';
import type { PlantedSecrets } from './planted-secrets.js';
import { ownTenant } from '@palisade/isolation';

/**
 * What a control plane needs to work: a store and two servers to provision, whose passwords are planted, and a directory
 * for its audit trail. HAProxy does not run, and so finds its configuration when it starts.
 */
export class WorkingInstallation implements AsyncDisposable {
  /** The namespace of the only tenant; unique, since roles are for all databases of a server. */
  readonly namespace = parseNamespaceId(`acme-${randomBytes(4).toString('hex')}`);
  private readonly directory = mkdtempSync(join(tmpdir(), 'palisade-working-'));
  private readonly administrator = `admin_${randomBytes(6).toString('hex')}`;

  private constructor(
    private readonly secrets: PlantedSecrets,
    private readonly database: ScratchDatabase,
    private readonly admin: Client,
    private readonly redis: OwnServer<UrlServer>,
  ) {}

  static async start(secrets: PlantedSecrets): Promise<WorkingInstallation> {
    const redis = await startOwnRedis('--requirepass', secrets.plant('administrator of Redis'));
    const database = await createScratchDatabase();
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    const installation = new WorkingInstallation(secrets, database, admin, redis);
    await installation.prepare();
    return installation;
  }

  /** The environment of the control plane. */
  get environment(): Record<string, string> {
    return {
      SVC_STORE_URL: this.administratorUrl.href,
      SVC_LOG_LEVEL: 'trace',
      SVC_ADMIN_TOKEN: this.secrets.plant('admin token'),
      SVC_CONTROL_CONFIG: this.write('control-plane.yaml', this.yaml()),
    };
  }

  /** What the control plane has exported of its audit trail. */
  get exported(): string {
    return this.read('audit');
  }

  /** What it has written for HAProxy: configuration and maps. */
  get rendered(): string {
    return this.read('haproxy');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.admin.query(`drop owned by "tenant_${this.namespace}"; drop role "tenant_${this.namespace}"`);
    await this.admin.query(`drop owned by ${this.administrator} cascade; drop role ${this.administrator}`);
    await this.admin.end();
    await this.database.drop();
    await this.redis[Symbol.asyncDispose]();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private get administratorUrl(): URL {
    const url = new URL(this.database.url);
    url.username = this.administrator;
    url.password = this.secrets.plant('administrator of PostgreSQL');
    return url;
  }

  private async prepare(): Promise<void> {
    const password = this.secrets.plant('administrator of PostgreSQL');
    await this.admin.query(`create role ${this.administrator} superuser login password '${password}'`);
    await this.admin.query('create table orders (tenant_id text not null, title text not null)');
    mkdirSync(join(this.directory, 'audit'));
    mkdirSync(join(this.directory, 'haproxy'));
    const tenants = new TenantSecrets(this.secrets.plant('secret of tenants'));
    this.secrets.add('tenant in PostgreSQL', tenants.passwordOf('postgres', ownTenant(this.namespace)));
    this.secrets.add('tenant in Redis', tenants.passwordOf('redis', ownTenant(this.namespace)));
  }

  private yaml(): string {
    const tenants = this.write('tenant-secret', this.secrets.plant('secret of tenants'));
    const postgres = this.administratorUrl;
    const redis = new URL(this.redis.url);
    redis.password = this.secrets.plant('administrator of Redis');
    const provisioning = (name: string, { href }: URL): string =>
      `tenant_secret_file: ${tenants}, admin_url_file: ${this.write(name, href)}`;
    return `
proxy_pools: { standard: { isolation_level: namespace } }
default_pool: standard
backends:
  postgres: { endpoint: "${postgres.host}", provisioning: { ${provisioning('postgres', postgres)}, tables: [public.orders] } }
  redis: { endpoint: "${redis.host}", provisioning: { ${provisioning('redis', redis)} } }
load_balancer:
  type: haproxy
  binary: ${requireBinary('haproxy')}
  config_path: ${join(this.directory, 'haproxy/haproxy.cfg')}
  master_socket: ${join(this.directory, 'master.sock')}
  bind: 127.0.0.1:1
audit_backend: file://${join(this.directory, 'audit')}
`;
  }

  private write(name: string, content: string): string {
    const path = join(this.directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  private read(folder: string): string {
    const entries = readdirSync(join(this.directory, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
  }
}
