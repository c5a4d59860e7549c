import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { JsonLogger, startService } from '@palisade/platform';
import { AppModule } from './app.module.js';
import { setupApp } from './app.setup.js';
import { loadConfig } from './config/control-plane.config.js';

await startService(async () => {
  const config = loadConfig();
  const logger = new JsonLogger({ service: 'control-plane', level: config.logLevel });
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(config), {
    logger,
    abortOnError: false,
  });
  setupApp(app, logger);
  return { app, listen: config.listen, logger, warnings: config.warnings };
});
