import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { parseProxyId, type SealedRecord, type PoolName, type ProxyHealth, type Store } from '@palisade/domain';
import { JsonLogger } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import type { JWTPayload } from 'jose';
import request, { type Test } from 'supertest';
import { TokenIssuer } from '../../../../test/support/token-issuer.js';
import { createControlPlaneApp } from '../../src/app.setup.js';
import type { ControlPlaneConfig } from '../../src/config/control-plane.config.js';
import { DeniedAttempts } from '@palisade/platform';
import { RoutingTable } from '../../src/routing/table/routing-table.js';
import { readSettings } from '../../src/config/read-settings.js';
import type { ControlPlaneSettings } from '../../src/config/control-plane-settings.js';
import { routesOf, type Method } from '../../../../test/support/routes-of.js';

export const ADMIN_TOKEN = 'static-admin-token-of-the-tests';

export interface ControlAppOptions {
  /** A configuration file. */
  readonly yaml?: string;
  readonly store?: Store;
  readonly config?: Partial<ControlPlaneConfig>;
  /** Whether it may become the leader, and check, discover and export. Default false. */
  readonly mayLead?: boolean;
}

/** Two pools, standard and premium. */
export const TWO_POOLS = `
deployment: { model: hybrid }
proxy_pools:
  standard: { replicas: 2, isolation_level: namespace }
  premium: { replicas: 3, isolation_level: session, resources: { cpu: 4, memory: 8Gi } }
`;

/** The service as it is deployed, with a static admin and an issuer whose JWTs name admins. */
export class ControlApp {
  private constructor(
    readonly store: Store,
    readonly issuer: TokenIssuer,
    private readonly app: NestExpressApplication,
  ) {}

  static async start({
    yaml = TWO_POOLS,
    store = new MemoryStore(),
    config,
    mayLead = false,
  }: ControlAppOptions = {}): Promise<ControlApp> {
    const issuer = await TokenIssuer.start('https://login.example.com');
    const app = await createControlPlaneApp({
      config: {
        adminToken: ADMIN_TOKEN,
        mayLead,
        proxyTokenDigests: [],
        settings: settingsOf(yaml),
        adminJwt: {
          issuer: issuer.issuer,
          audience: 'palisade',
          jwksUri: issuer.jwksUri,
          namespacesClaim: 'namespaces',
          identityClaim: 'email',
          proxyClaims: { poolClaim: 'pool', idPrefixClaim: 'id_prefix' },
        },
        ...config,
      },
      store,
      logger: new JsonLogger({ service: 'test', level: 'fatal' }),
    });
    await app.listen(0, '127.0.0.1');
    return new ControlApp(store, issuer, app);
  }

  /** `http://host:port`. */
  origin(): Promise<string> {
    return this.app.getUrl();
  }

  /** A request below `/api/v1`, by the static admin unless another token is given. */
  api(method: Method, path: string, token: string = ADMIN_TOKEN): Test {
    return this.request(method, `/api/v1${path}`, token);
  }

  request(method: Method, path: string, token?: string): Test {
    const prepared = request(this.app.getHttpServer())[method](path);
    return token === undefined ? prepared : prepared.set('Authorization', `Bearer ${token}`);
  }

  /** A token of an admin of these namespaces, with every scope unless others are given. */
  adminOf(namespaces: readonly string[], claims: JWTPayload = {}): Promise<string> {
    return this.issuer.sign({ namespaces: [...namespaces], scope: 'admin', email: 'ann@example.com', ...claims });
  }

  /** A token of the proxies `eu-*` of the pool "standard", unless claims say otherwise. */
  proxyJwt(claims: JWTPayload = {}): Promise<string> {
    return this.issuer.sign({ scope: 'proxy', pool: 'standard', id_prefix: 'eu-', ...claims });
  }

  /** Registers a tenant. */
  async register(tenant_id: string, body: object): Promise<void> {
    await this.api('post', '/tenants')
      .send({ tenant_id, ...body })
      .expect(201);
  }

  /** Puts a proxy into a pool. */
  async addProxy(id: string, pool: PoolName, health: ProxyHealth = 'healthy', isDraining = false): Promise<void> {
    const change = { actor: 'test', at: new Date() };
    const draft = { pool, host: `${id}.internal`, port: 8080, weight: 100, isDraining };
    await this.store.proxies.put(parseProxyId(id), 'static', draft, change);
    await this.store.proxies.observe([{ id: parseProxyId(id), health, at: new Date() }], change);
  }

  /** A part of the service. */
  get<T>(type: Type<T>): T {
    return this.app.get(type);
  }

  /** What this replica knows of the tenants without asking the store. */
  get table(): RoutingTable {
    return this.app.get(RoutingTable);
  }

  /** Every route that the service has. */
  routes(): [Method, string][] {
    return routesOf(this.app);
  }

  /** The log with everything that is pending. */
  async records(): Promise<SealedRecord[]> {
    await this.app.get(DeniedAttempts).flush();
    while ((await this.store.log.seal()) > 0);
    return this.store.log.list({ limit: 1000 });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.issuer.close();
  }
}

/** @throws {TypeError} with what is wrong with the file */
export function settingsOf(yaml: string): ControlPlaneSettings {
  const { settings, problems } = readSettings(yaml, 'test.yaml');
  if (settings === undefined) {
    throw new TypeError(problems.join('\n'));
  }
  return settings;
}
