import { JsonLogger, startService } from '@palisade/platform';
import { loadConfig } from './data-proxy.config.js';
import { openDataProxy } from './open-data-proxy.js';

await startService(async () => {
  const config = loadConfig();
  const logger = new JsonLogger({ service: 'data-proxy', level: config.logLevel });
  const app = await openDataProxy({ config, logger });
  return { app, listen: config.listen, logger, warnings: config.warnings };
});
