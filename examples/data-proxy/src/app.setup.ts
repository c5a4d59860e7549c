import { readFileSync } from 'node:fs';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  AccessDecisions,
  GovernedProxy,
  UsageService,
  registerGovernanceMetrics,
  registerIsolationMetrics,
} from '@palisade/isolation';
import {
  Metrics,
  PlatformHttpAdapter,
  ProblemDetailsFilter,
  configurePlatform,
  type JsonLogger,
} from '@palisade/platform';
import { AppModule, type AppOptions } from './app.module.js';
import type { DataProxyConfig } from './data-proxy.config.js';
import { DATA_PROXY_STATUSES } from './http/statuses.js';

export interface DataProxyAppOptions extends AppOptions {
  readonly config: AppOptions['config'] & Pick<DataProxyConfig, 'tlsCertFile' | 'tlsKeyFile' | 'tlsClientCaFile'>;
  readonly logger: JsonLogger;
}

/** The complete proxy, not yet listening; main.ts and the tests share it. */
export async function createDataProxyApp(options: DataProxyAppOptions): Promise<NestExpressApplication> {
  const { config, logger } = options;
  const httpsOptions = tlsOf(config);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(options), new PlatformHttpAdapter(), {
    logger,
    bodyParser: false,
    abortOnError: false,
    ...(httpsOptions && { httpsOptions }),
  });
  configurePlatform(app, logger);
  app.useGlobalFilters(new ProblemDetailsFilter(DATA_PROXY_STATUSES));
  registerIsolationMetrics(app.get(Metrics).registry, app.get(UsageService));
  if (options.controlPlane !== undefined) {
    const proxy = app.get(GovernedProxy);
    const access = app.get<AccessDecisions | undefined>(AccessDecisions);
    Object.assign(options.governance, { proxy, access });
    registerGovernanceMetrics(app.get(Metrics).registry, proxy, access);
  }
  options.backends.watch.registerMetrics(app.get(Metrics).registry);
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  return app;
}

/** Connections without a valid client certificate are accepted here: they may bring another credential, and the guard decides. */
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
