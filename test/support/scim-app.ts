import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DEFAULT_PROVIDER_SETTINGS, parseProviderId, type ProviderSettings, type Store } from '@palisade/domain';
import { JsonLogger } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import request, { type Test } from 'supertest';
import { createScimServiceApp } from '../../apps/scim-service/src/app.setup.js';
import { ScimClient } from './scim-client.js';

/** May do everything at the admin API. */
export const ADMIN_TOKEN = 'admin-token-of-the-tests';

/** The service as it is deployed, over a store in memory, listening on a port of its own. */
export class ScimApp {
  private providers = 0;

  private constructor(
    private readonly app: NestExpressApplication,
    readonly store: Store,
    /** `http://host:port`. */
    readonly origin: string,
  ) {}

  static async start(store: Store = new MemoryStore()): Promise<ScimApp> {
    const logger = new JsonLogger({ service: 'test', level: 'error', stream: { write: () => undefined } });
    const app = await createScimServiceApp({ config: { adminToken: ADMIN_TOKEN }, store, logger });
    await app.listen(0, '127.0.0.1');
    return new ScimApp(app, store, await app.getUrl());
  }

  /** Registers a provider that nothing else uses and returns a client of it. */
  async connect(settings: Partial<ProviderSettings> = {}): Promise<ScimClient> {
    this.providers += 1;
    const provider = parseProviderId(`provider-${this.providers}`);
    const token = randomBytes(16).toString('base64url');
    const change = { actor: 'test', at: new Date() };
    await this.store.providers.create(provider, { settings: { ...DEFAULT_PROVIDER_SETTINGS, ...settings } }, change);
    const digest = createHash('sha256').update(token).digest('hex');
    const description = { kind: 'bearer', hint: token.slice(-4), createdAt: new Date() } as const;
    await this.store.providers.addToken({ id: randomUUID(), provider, digest, ...description }, change);
    return new ScimClient(this.origin, provider, token);
  }

  /** A request to the admin API; the path starts below `/api/v1`. */
  admin(method: 'get' | 'post' | 'put' | 'delete', path: string): Test {
    return request(this.origin)[method](`/api/v1${path}`).set('Authorization', `Bearer ${ADMIN_TOKEN}`);
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
