import type { INestApplication } from '@nestjs/common';
import { parseProviderId, type Store } from '@palisade/domain';
import { JsonLogger } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { createControlPlaneApp } from '../../../apps/control-plane/src/app.setup.js';
import { readSettings } from '../../../apps/control-plane/src/config/read-settings.js';
import { createScimServiceApp } from '../../../apps/scim-service/src/app.setup.js';
import { Palisade, type Ended } from './palisade.js';

export const ADMIN_TOKEN = 'static-admin-token-of-the-tests';
export const SCIM_TOKEN = 'static-scim-token-of-the-tests';

const POOLS = `
deployment: { model: hybrid }
proxy_pools:
  standard: { replicas: 2, isolation_level: namespace }
  premium: { replicas: 3, isolation_level: session }
`;

export interface Running {
  readonly app: INestApplication;
  readonly store: Store;
  readonly url: string;
}

/** Both services as they are deployed, with stores of their own. */
export class Services implements AsyncDisposable {
  private constructor(
    readonly scim: Running,
    readonly control: Running,
  ) {}

  static async start(): Promise<Services> {
    return new Services(await startScim(), await startControl());
  }

  get env(): Record<string, string> {
    return {
      PALISADE_SCIM_URL: this.scim.url,
      PALISADE_CONTROL_URL: this.control.url,
      PALISADE_TOKEN: ADMIN_TOKEN,
      PALISADE_PROVIDER_TOKEN: SCIM_TOKEN,
    };
  }

  /** Runs the command to its end. */
  run(...arguments_: readonly string[]): Promise<Ended> {
    return Palisade.start(arguments_, this.env).ended();
  }

  /** How many users there are. */
  async countUsers(): Promise<number> {
    const answer = await fetch(`${this.scim.url}/scim/v2/Users?count=0`, {
      headers: { Authorization: `Bearer ${SCIM_TOKEN}` },
    });
    return ((await answer.json()) as { totalResults: number }).totalResults;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.scim.app.close();
    await this.control.app.close();
  }
}

async function startScim(): Promise<Running> {
  const store = new MemoryStore();
  const app = await createScimServiceApp({
    config: { adminToken: ADMIN_TOKEN, scimBearerToken: SCIM_TOKEN, scimProviderId: parseProviderId('default') },
    store,
    logger: new JsonLogger({ service: 'test', level: 'fatal' }),
  });
  return listen(app, store);
}

async function startControl(): Promise<Running> {
  const store = new MemoryStore();
  const { settings } = readSettings(POOLS, 'test.yaml');
  const app = await createControlPlaneApp({
    config: { adminToken: ADMIN_TOKEN, mayLead: false, ...(settings !== undefined && { settings }) },
    store,
    logger: new JsonLogger({ service: 'test', level: 'fatal' }),
  });
  return listen(app, store);
}

async function listen(app: INestApplication, store: Store): Promise<Running> {
  await app.listen(0, '127.0.0.1');
  return { app, store, url: (await app.getUrl()).replace('[::1]', '127.0.0.1') };
}
