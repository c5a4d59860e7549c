import { JsonLogger, loadTracing, startService, startTracing } from '@palisade/platform';
import { createScimServiceApp } from './app.setup.js';
import { loadConfig } from './config/scim-service.config.js';
import { openConfiguredStore } from './open-configured-store.js';

await startService(async () => {
  const config = loadConfig();
  const tracingSettings = loadTracing();
  const logger = new JsonLogger({ service: 'scim-service', level: config.logLevel });
  const tracing = await startTracing(tracingSettings, { serviceName: 'palisade-scim-service', logger });
  const store = await openConfiguredStore(config, logger);
  const app = await createScimServiceApp({ config, store, logger, tracing });
  return { app, listen: config.listen, logger, warnings: config.warnings };
});
