import type { NestExpressApplication } from '@nestjs/platform-express';
import { parseProxyId, type Proxy } from '@palisade/domain';
import { JsonLogger } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { createControlPlaneApp } from '../../../../apps/control-plane/src/app.setup.js';
import { settingsOf } from '../../../../apps/control-plane/test/support/control-app.js';

export const CONTROL_TOKEN = 'control-token-of-the-tests';

/** Proxies send a heartbeat every 333 ms. */
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
    private readonly token: string,
  ) {}

  static async start(token = CONTROL_TOKEN): Promise<ControlPlane> {
    const store = new MemoryStore();
    const logger = new JsonLogger({ service: 'test', level: 'fatal' });
    const config = { adminToken: token, mayLead: false, settings: SETTINGS };
    const app = await createControlPlaneApp({ config, store, logger });
    await app.listen(0, '127.0.0.1');
    return new ControlPlane(app, store, await app.getUrl(), token);
  }

  /** Registers a tenant with the pool `standard`. */
  async registerTenant(tenant_id: string, namespace_pattern: string): Promise<void> {
    const { status } = await fetch(`${this.origin}/api/v1/tenants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tenant_id, namespace_pattern, pool: 'standard' }),
    });
    if (status !== 201) {
      throw new Error(`the control plane answered ${status}`);
    }
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
