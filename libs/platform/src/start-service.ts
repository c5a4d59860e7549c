import type { Server } from 'node:http';
import { inspect } from 'node:util';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DomainError } from '@palisade/domain';
import { ConfigurationError } from './config/configuration.error.js';
import type { HostPort } from './config/variable-kinds.js';
import type { JsonLogger } from './logging/json-logger.js';
import { redactText } from './logging/redact.js';
import { systemErrorCode } from './system-error-code.js';

/** Longer than load balancers keep idle connections (60 s is common); else they send requests into closed ones. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

export interface ServiceStart {
  readonly app: NestExpressApplication;
  readonly listen: HostPort;
  readonly logger: JsonLogger;
  /** Logged before the app listens. */
  readonly warnings?: readonly string[];
}

/**
 * Creates an app and lets it listen. When that fails, what was started is closed again and the process ends with
 * status 1; a mistake in the environment is told on standard error without a stack.
 */
export async function startService(create: () => Promise<ServiceStart>): Promise<void> {
  try {
    const { app, listen, logger, warnings = [] } = await create();
    for (const warning of warnings) {
      logger.warn(warning, startService.name);
    }
    await listenOrClose(app, listen);
    logger.log(`listening on ${await app.getUrl()}`, startService.name);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

async function listenOrClose(app: NestExpressApplication, { host, port }: HostPort): Promise<void> {
  const server: Server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  try {
    await app.listen(port, host);
  } catch (error) {
    await app.close();
    throw error;
  }
}

function explain(error: unknown): string {
  // Both tell an operator what to do; where they were thrown is no help.
  if (error instanceof ConfigurationError || error instanceof DomainError) {
    return error.message;
  }
  if (systemErrorCode(error) === 'EADDRINUSE') {
    return `cannot listen: ${String(error)}; another process uses this address`;
  }
  return redactText(inspect(error));
}
