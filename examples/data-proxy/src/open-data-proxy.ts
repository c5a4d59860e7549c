import type { NestExpressApplication } from '@nestjs/platform-express';
import { Isolation, IsolationSessions } from '@palisade/isolation';
import type { JsonLogger } from '@palisade/platform';
import { createDataProxyApp } from './app.setup.js';
import { openBackends } from './backends/open-backends.js';
import type { DataProxyConfig } from './data-proxy.config.js';
import { fitSettings, type Backend } from './settings-file.js';
import { KeyRemovedError } from './api-keys.js';
import { controlPlaneOf, GovernanceHealth } from './governance.js';
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
  const { authenticator, apiKeys, namespaces } = openIdentities(config);
  const backends = await openBackends({ config, namespaces, logger });
  try {
    const controlPlane = controlPlaneOf(config);
    const isOn = new Set(Object.keys(backends.drivers) as Backend[]);
    const app = await createDataProxyApp({
      config,
      settings: fitSettings(config.settings, isOn),
      backends,
      authenticator,
      apiKeys,
      statements,
      logger,
      ...(controlPlane && { controlPlane }),
      governance: new GovernanceHealth(),
    });
    const [isolation, sessions] = [app.get(Isolation), app.get(IsolationSessions)];
    if (controlPlane === undefined) {
      isolation.divideCaps(config.replicas);
    }
    apiKeys.onRemoved = (clients) => {
      const errorFor = ({ clientId }: { readonly clientId: string }) =>
        clients.has(clientId) ? new KeyRemovedError() : undefined;
      isolation.abortWhere(errorFor);
      sessions.manager.endWhere(errorFor, 'key_removed');
    };
    return app;
  } catch (error) {
    await backends.close();
    throw error;
  }
}
