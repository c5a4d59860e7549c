import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { digestSecret, type ApiKey } from '@palisade/guards';
import { TenantSecrets } from '@palisade/isolation';
import { requireKafka, startOwnNats, startOwnRedis } from '../../../../test/support/test-services.js';
import { TokenIssuer } from '../../../../test/support/token-issuer.js';
import type { PlantedSecrets } from '../../../../test/support/secrets/planted-secrets.js';
import { ControlPlane } from './control-plane.js';
import { ProxyDatabase } from './proxy-database.js';
import { uniqueNamespace } from './proxy-process.js';
import { ownTenant } from '@palisade/isolation';

const ISSUER = 'https://issuer.example.com';
const AUDIENCE = 'data-proxy';
const KEY_ID = 'planted1';
/** Nobody listens there; a port that `fetch` does not reject by itself. */
const AWAY = '127.0.0.1:2';

/** One server of each kind, to whom all that the data proxy knows of them is a secret. */
export class PlantedServers implements AsyncDisposable {
  readonly namespace: NamespaceId = parseNamespaceId(uniqueNamespace());
  readonly key: string;
  readonly keys: readonly ApiKey[];

  private constructor(
    private readonly secrets: PlantedSecrets,
    private readonly database: ProxyDatabase,
    private readonly urls: {
      readonly redis: string;
      readonly nats: string;
      readonly control: string;
      readonly rejection: string;
    },
    private readonly issuer: TokenIssuer,
    private readonly owned: AsyncDisposableStack,
  ) {
    this.key = `pk_${KEY_ID}_${secrets.plant('API key')}`;
    this.keys = [{ id: KEY_ID, digest: digestSecret(this.key), namespace: this.namespace }];
  }

  static async start(secrets: PlantedSecrets): Promise<PlantedServers> {
    await using stack = new AsyncDisposableStack();
    const database = stack.use(await ProxyDatabase.create());
    secrets.add('role of PostgreSQL', new URL(database.roleUrl).password);
    secrets.add('administrator of PostgreSQL', new URL(database.adminUrl).password);
    const redis = stack.use(await startOwnRedis('--requirepass', secrets.plant('administrator of Redis')));
    const nats = stack.use(await startOwnNats('--user', 'proxy', '--pass', secrets.plant('user of NATS')));
    const issuer = await TokenIssuer.start(ISSUER);
    stack.defer(() => void issuer.close());
    const control = stack.use(await ControlPlane.start(secrets.plant('control token')));
    const urls = {
      redis: redis.url,
      nats: nats.url,
      control: control.origin,
      rejection: await startRejecting(stack),
    };
    const servers = new PlantedServers(secrets, database, urls, issuer, stack.move());
    await control.registerTenant(servers.namespace, servers.namespace);
    return servers;
  }

  /** Every password is right; what is missing is made. */
  get right(): Record<string, string> {
    return {
      ...this.backends({ redis: 'administrator of Redis', nats: 'user of NATS', tenants: 'secret of tenants' }),
      DATA_PROXY_PROVISION: 'true',
    };
  }

  /** Every password is wrong but that of PostgreSQL, without which the proxy does not start: see {@link lockOut}. */
  get wrong(): Record<string, string> {
    return this.backends({ redis: 'wrong for Redis', nats: 'wrong for NATS', tenants: 'wrong secret of tenants' });
  }

  /** Every password is right but the control plane's, which has nothing to say to the proxy. */
  get ungoverned(): Record<string, string> {
    return { ...this.right, DATA_PROXY_CONTROL_URL: this.urls.rejection };
  }

  /** Nobody is there but one control plane of two. */
  get away(): Record<string, string> {
    return {
      ...this.wrong,
      DATA_PROXY_POSTGRES_URL: '',
      DATA_PROXY_REDIS_URL: this.withPassword(`redis://${AWAY}`, 'wrong for Redis'),
      DATA_PROXY_NATS_URL: this.withPassword(`nats://${AWAY}`, 'wrong for NATS'),
      DATA_PROXY_KAFKA_BROKERS: AWAY,
      DATA_PROXY_JWKS_URI: `http://${AWAY}`,
      DATA_PROXY_CONTROL_URL: `http://${AWAY},${this.urls.control}`,
    };
  }

  /** The password of PostgreSQL becomes wrong, and its connections end. */
  async lockOut(): Promise<void> {
    const { username } = new URL(this.database.roleUrl);
    await this.database.admin.query(`alter role ${username} password 'another-one'`);
    const text = 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1';
    await this.database.admin.query(text, [username]);
  }

  /** A token for the namespace; its signature is a secret. */
  async issueToken(): Promise<string> {
    const token = await this.issuer.sign({ aud: AUDIENCE, namespace: this.namespace });
    this.secrets.add('signature of a token', token.split('.')[2] ?? '');
    return token;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.owned.disposeAsync();
  }

  private backends(roles: Readonly<Record<'redis' | 'nats' | 'tenants', string>>): Record<string, string> {
    const { brokers, saslBrokers } = requireKafka();
    const tenants = this.secrets.plant(roles.tenants);
    for (const backend of ['redis', 'kafka'] as const) {
      const password = new TenantSecrets(tenants).passwordOf(backend, ownTenant(this.namespace));
      this.secrets.add(`${backend} from ${roles.tenants}`, password);
    }
    return {
      SVC_LOG_LEVEL: 'trace',
      DATA_PROXY_POSTGRES_URL: this.database.roleUrl,
      DATA_PROXY_POSTGRES_ADMIN_URL: this.database.adminUrl,
      DATA_PROXY_REDIS_URL: this.withPassword(this.urls.redis, roles.redis),
      DATA_PROXY_NATS_URL: this.withPassword(this.urls.nats, roles.nats),
      DATA_PROXY_KAFKA_BROKERS: saslBrokers.join(','),
      DATA_PROXY_KAFKA_ADMIN_BROKERS: brokers.join(','),
      DATA_PROXY_BACKEND_SECRET: tenants,
      DATA_PROXY_JWT_ISSUER: ISSUER,
      DATA_PROXY_JWT_AUDIENCE: AUDIENCE,
      DATA_PROXY_JWKS_URI: this.issuer.jwksUri,
      DATA_PROXY_CONTROL_URL: this.urls.control,
      DATA_PROXY_CONTROL_TOKEN: this.secrets.plant('control token'),
      DATA_PROXY_ACCESS: 'false',
    };
  }

  private withPassword(text: string, role: string): string {
    const url = new URL(text);
    url.username = url.protocol === 'nats:' ? 'proxy' : '';
    url.password = this.secrets.plant(role);
    return url.href;
  }
}

/** What rejects everybody, and says with which credential they came; resolves to its URL. */
async function startRejecting(stack: AsyncDisposableStack): Promise<string> {
  const server = createServer(({ headers }, response) => {
    response.writeHead(401).end(headers.authorization);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
