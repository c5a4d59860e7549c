import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TenantSecrets } from '@palisade/isolation';
import { Client } from 'pg';
import { createClient } from 'redis';
import { createScratchDatabase, type ScratchDatabase } from '../../../../libs/storage/test/scratch-database.js';
import { NatsWorld } from '../../../../libs/isolation/test/support/nats-world.js';
import {
  requireBinary,
  requireKafka,
  startOwnRedis,
  type OwnServer,
  type UrlServer,
} from '../../../../test/support/test-services.js';

const SECRET = randomBytes(24).toString('base64url');
const TABLE = 'create table orders (tenant_id text not null, title text not null)';
const ACCOUNTS = 'accounts { TENANTS { include "./users.conf" }\n OPS { users: [{ user: ops, password: ops }] } }';

/** Every kind of backend for real, with the files that the control plane administers them with. */
export class ProvisionedBackends implements AsyncDisposable {
  readonly secrets = new TenantSecrets(SECRET);
  readonly kafka = requireKafka();

  private constructor(
    readonly database: ScratchDatabase,
    /** As an administrator, whom no policy binds. */
    readonly postgres: Client,
    readonly redis: OwnServer<UrlServer>,
    readonly nats: NatsWorld,
    private readonly directory: string,
  ) {}

  static async start(): Promise<ProvisionedBackends> {
    const directory = await mkdtemp(join(tmpdir(), 'palisade-provisioning-'));
    const database = await createScratchDatabase();
    const postgres = new Client({ connectionString: database.url });
    await postgres.connect();
    await postgres.query(TABLE);
    const aclFile = join(directory, 'users.acl');
    await writeFile(aclFile, 'user default on nopass ~* &* +@all\n');
    const redis = await startOwnRedis('--aclfile', aclFile);
    const nats = await NatsWorld.start({
      config: ACCOUNTS,
      files: { 'users.conf': 'users: []\n' },
      observer: { user: 'ops', pass: 'ops' },
    });
    const backends = new ProvisionedBackends(database, postgres, redis, nats, directory);
    await backends.writeFiles();
    return backends;
  }

  /** The configuration file. */
  get yaml(): string {
    const { directory, nats } = this;
    const files = (kind: string): string =>
      `tenant_secret_file: ${directory}/secret, admin_url_file: ${directory}/${kind}`;
    const program = requireBinary('nats-server');
    const commands = `reload_command: [${program}, --signal, reload=${nats.server.pid}], check_command: [${program}, -t, -c, ${nats.configFile}]`;
    return `
proxy_pools: { standard: { isolation_level: namespace } }
default_pool: standard
backends:
  postgres: { endpoint: "127.0.0.1:1", provisioning: { ${files('postgres')}, tables: [public.orders] } }
  redis: { endpoint: "127.0.0.1:1", provisioning: { ${files('redis')}, save_acl_file: true } }
  kafka: { endpoint: "127.0.0.1:1", provisioning: { ${files('kafka')} } }
  nats:
    endpoint: "127.0.0.1:1"
    provisioning: { tenant_secret_file: ${directory}/secret, file: ${nats.directory}/users.conf, ${commands}, monitor_url: "${nats.monitorUrl}" }
`;
  }

  /** What an administrator of Redis is told. */
  async redisAdmin(...command: string[]): Promise<unknown> {
    const client = await createClient({ url: this.redis.url }).connect();
    try {
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.postgres.end();
    await this.database.drop();
    await this.redis[Symbol.asyncDispose]();
    await this.nats[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true, force: true });
  }

  private async writeFiles(): Promise<void> {
    const contents = {
      secret: SECRET,
      postgres: this.database.url,
      redis: this.redis.url,
      kafka: `kafka://${this.kafka.brokers.join(',')}`,
    };
    for (const [name, content] of Object.entries(contents)) {
      await writeFile(join(this.directory, name), `${content}\n`, { mode: 0o600 });
    }
  }
}
