import type { NestExpressApplication } from '@nestjs/platform-express';
import { parsePoolName, parseProxyId, type Proxy } from '@palisade/domain';
import { JsonLogger } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { createControlPlaneApp } from '../../../../apps/control-plane/src/app.setup.js';
import { settingsOf } from '../../../../apps/control-plane/test/support/control-app.js';

export const CONTROL_TOKEN = 'control-token-of-the-tests';

const STANDARD = parsePoolName('standard');

/** Proxies are to give a sign of life every 333 ms. */
const SETTINGS = settingsOf(`
deployment: { model: multi_tenant }
proxy_pools: { standard: { isolation_level: namespace } }
health_checks: { heartbeat_timeout: 1s }
`);

/** The control plane as it is deployed, over a store in memory; it leads nothing, so that nobody checks any health. */
export class ControlPlane implements AsyncDisposable {
  private constructor(
    private readonly app: NestExpressApplication,
    private readonly store: MemoryStore,
    readonly origin: string,
  ) {}

  static async start(): Promise<ControlPlane> {
    const store = new MemoryStore();
    const logger = new JsonLogger({ service: 'test', level: 'fatal' });
    const config = { adminToken: CONTROL_TOKEN, mayLead: false, settings: SETTINGS };
    const app = await createControlPlaneApp({ config, store, logger });
    await app.listen(0, '127.0.0.1');
    return new ControlPlane(app, store, await app.getUrl());
  }

  /** Puts another proxy into the pool `standard`. */
  async addHealthyProxy(id: string): Promise<void> {
    const change = { actor: 'test', at: new Date() };
    const draft = { pool: STANDARD, host: `${id}.internal`, port: 8080, weight: 100, isDraining: false };
    await this.store.proxies.put(parseProxyId(id), 'static', draft, change);
    await this.store.proxies.observe([{ id: parseProxyId(id), health: 'healthy', at: new Date() }], change);
  }

  /** Has the proxy be unknown, as after a long silence. */
  async forget(id: string): Promise<void> {
    await this.store.proxies.remove(parseProxyId(id), { actor: 'test', at: new Date() });
  }

  find(id: string): Promise<Proxy | undefined> {
    return this.store.proxies.find(parseProxyId(id));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
  }
}
