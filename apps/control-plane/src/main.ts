import { JsonLogger, startService } from '@palisade/platform';
import { createControlPlaneApp } from './app.setup.js';
import { loadConfig } from './config/control-plane.config.js';
import { openConfiguredStore } from './store/open-configured-store.js';

await startService(async () => {
  const config = loadConfig();
  const logger = new JsonLogger({ service: 'control-plane', level: config.logLevel });
  const store = await openConfiguredStore(config, logger);
  const app = await createControlPlaneApp({ config, store, logger });
  return { app, listen: config.listen, logger, warnings: config.warnings };
});
