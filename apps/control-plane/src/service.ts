import { JsonLogger, loadTracing, startService, startTracing } from '@palisade/platform';
import { createControlPlaneApp } from './app.setup.js';
import { loadConfig } from './config/control-plane.config.js';
import { openConfiguredStore } from './open-configured-store.js';

await startService(async () => {
  const config = loadConfig();
  const tracingSettings = loadTracing();
  const logger = new JsonLogger({ service: 'control-plane', level: config.logLevel });
  const tracing = await startTracing(tracingSettings, { serviceName: 'palisade-control-plane', logger });
  const store = await openConfiguredStore(config, logger);
  const app = await createControlPlaneApp({ config, store, logger, tracing });
  return { app, listen: config.listen, logger, warnings: config.warnings };
});
