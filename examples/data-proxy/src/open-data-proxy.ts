import type { NestExpressApplication } from '@nestjs/platform-express';
import { Isolation } from '@palisade/isolation';
import type { JsonLogger } from '@palisade/platform';
import { createDataProxyApp } from './app.setup.js';
import { openBackends } from './backends/open-backends.js';
import type { DataProxyConfig } from './config/data-proxy.config.js';
import { fitSettings, type Backend } from './config/settings-file.js';
import { ControlPlaneClient } from './control-plane-client.js';
import { Registration } from './registration.js';
import { openIdentities } from './identities.js';
import { NOTES } from './queries/notes.js';
import type { StatementsByName } from './queries/named-statement.js';

export interface OpenDataProxyOptions {
  readonly config: DataProxyConfig;
  readonly logger: JsonLogger;
  /** By default the statements for the example's table. */
  readonly statements?: StatementsByName;
}

/** The app with its backends open, not yet listening. Closing the app closes the backends. */
export async function openDataProxy({
  config,
  logger,
  statements = NOTES,
}: OpenDataProxyOptions): Promise<NestExpressApplication> {
  const { authenticator, namespaces } = openIdentities(config);
  const backends = await openBackends({ config, namespaces, logger });
  try {
    const registration = createRegistration(config);
    const isOn = new Set(Object.keys(backends.drivers) as Backend[]);
    const app = await createDataProxyApp({
      config,
      settings: fitSettings(config.settings, isOn),
      backends,
      authenticator,
      statements,
      logger,
      ...(registration && { registration }),
    });
    const isolation = app.get(Isolation);
    isolation.divideCaps(config.replicas);
    await registration?.join(config.replicas, (replicas) => isolation.divideCaps(replicas));
    return app;
  } catch (error) {
    await backends.close();
    throw error;
  }
}

function createRegistration(config: DataProxyConfig): Registration | undefined {
  const { controlUrl, controlToken, proxyId, proxyPool, advertise, listen } = config;
  if (controlUrl === undefined || controlToken === undefined) {
    return undefined;
  }
  const identity = { id: proxyId, pool: proxyPool, ...(advertise ?? listen) };
  return new Registration(new ControlPlaneClient(controlUrl, controlToken), identity);
}
