import { readFileSync } from 'node:fs';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ProblemDetailsFilter, configurePlatform, type JsonLogger } from '@palisade/platform';
import { AppModule, type AppOptions } from './app.module.js';
import type { DataProxyConfig } from './config/data-proxy.config.js';
import { DATA_PROXY_STATUSES } from './http/statuses.js';

export interface DataProxyAppOptions extends AppOptions {
  readonly config: AppOptions['config'] & Pick<DataProxyConfig, 'tlsCertFile' | 'tlsKeyFile' | 'tlsClientCaFile'>;
  readonly logger: JsonLogger;
}

/** The proxy with everything that it needs, not yet listening; used alike by main.ts and by the tests. */
export async function createDataProxyApp(options: DataProxyAppOptions): Promise<NestExpressApplication> {
  const { config, logger } = options;
  const httpsOptions = tlsOf(config);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(options), {
    logger,
    bodyParser: false,
    abortOnError: false,
    ...(httpsOptions && { httpsOptions }),
  });
  configurePlatform(app, logger);
  app.useGlobalFilters(new ProblemDetailsFilter(DATA_PROXY_STATUSES));
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  return app;
}

/** Whoever comes without a certificate, or with one of nobody we know, may have another credential: the guard judges. */
function tlsOf({ tlsCertFile, tlsKeyFile, tlsClientCaFile }: DataProxyAppOptions['config']) {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) {
    return undefined;
  }
  return {
    cert: readFileSync(tlsCertFile),
    key: readFileSync(tlsKeyFile),
    ...(tlsClientCaFile !== undefined && {
      ca: readFileSync(tlsClientCaFile),
      requestCert: true,
      rejectUnauthorized: false,
    }),
  };
}
