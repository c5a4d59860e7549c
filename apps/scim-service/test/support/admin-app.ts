import type { NestExpressApplication } from '@nestjs/platform-express';
import { parseProviderId, type SealedRecord, type Store } from '@palisade/domain';
import { JsonLogger } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import type { JWTPayload } from 'jose';
import request, { type Test } from 'supertest';
import { TokenIssuer } from '../../../../test/support/token-issuer.js';
import { createScimServiceApp } from '../../src/app.setup.js';
import { DeniedAttempts } from '@palisade/platform';
import type { ScimServiceConfig } from '../../src/config/scim-service.config.js';
import { routesOf, type Method } from '../../../../test/support/routes-of.js';

export const ADMIN_TOKEN = 'static-admin-token-of-the-tests';
export const SCIM_TOKEN = 'static-scim-token-of-the-tests';

/** The service as it is deployed, with a static admin, a static SCIM token and an issuer whose JWTs name admins. */
export class AdminApp {
  /** What has been logged, as text. */
  readonly log: string[] = [];
  private app!: NestExpressApplication;

  private constructor(
    readonly store: Store,
    readonly issuer: TokenIssuer,
  ) {}

  static async start(config: Partial<ScimServiceConfig> = {}, store: Store = new MemoryStore()): Promise<AdminApp> {
    const issuer = await TokenIssuer.start('https://login.example.com');
    const started = new AdminApp(store, issuer);
    const stream = { write: (line: string) => void started.log.push(line) };
    started.app = await createScimServiceApp({
      config: {
        adminToken: ADMIN_TOKEN,
        scimBearerToken: SCIM_TOKEN,
        scimProviderId: parseProviderId('default'),
        adminJwt: {
          issuer: issuer.issuer,
          audience: 'palisade',
          jwksUri: issuer.jwksUri,
          namespacesClaim: 'namespaces',
          providersClaim: 'providers',
          identityClaim: 'email',
        },
        ...config,
      },
      store,
      logger: new JsonLogger({ service: 'test', level: 'trace', stream }),
    });
    await started.app.listen(0, '127.0.0.1');
    return started;
  }

  /** `http://host:port`. */
  origin(): Promise<string> {
    return this.app.getUrl();
  }

  /** A request below `/api/v1`, by the static admin unless another token is given. */
  admin(method: Method, path: string, token: string = ADMIN_TOKEN): Test {
    return this.request(method, `/api/v1${path}`, token);
  }

  /** A request below `/scim/v2`. */
  scim(method: Method, path: string, token: string = SCIM_TOKEN): Test {
    return this.request(method, `/scim/v2${path}`, token).type('application/scim+json');
  }

  request(method: Method, path: string, token?: string): Test {
    const prepared = request(this.app.getHttpServer())[method](path);
    return token === undefined ? prepared : prepared.set('Authorization', `Bearer ${token}`);
  }

  /** A token of an admin of these namespaces, with every scope unless others are given. */
  adminOf(namespaces: readonly string[], claims: JWTPayload = {}): Promise<string> {
    return this.issuer.sign({ namespaces: [...namespaces], scope: 'admin', email: 'ann@example.com', ...claims });
  }

  /** Registers a provider and returns a SCIM token of it. */
  async createProvider(id: string, settings: object = {}): Promise<string> {
    await this.admin('post', '/providers')
      .send({ id, ...settings })
      .expect(201);
    const { body } = await this.admin('post', `/providers/${id}/tokens`).send({}).expect(201);
    return body.secret;
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
