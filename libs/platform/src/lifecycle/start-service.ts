import type { Server } from 'node:http';
import { constants } from 'node:os';
import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { codeOf, DomainError, type HostPort, redactText } from '@palisade/domain';
import { limitSlowRequests } from '../http/slow-requests.js';
import { ConfigurationError } from '../config/load-variables.js';
import type { JsonLogger } from '../telemetry/json-logger.js';

const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process uses this address',
  EADDRNOTAVAIL: 'this machine does not have this address',
  EACCES: 'this user may not listen on this port',
  ENOTFOUND: 'this name has no address',
};

/** The app is complete but cannot listen on its address. */
class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(address: string, options: ErrorOptions) {
    super(`cannot listen on ${address}`, options);
  }
}

export interface ServiceStart {
  readonly app: NestExpressApplication;
  readonly listen: HostPort;
  readonly logger: JsonLogger;
  /** Logged before the app listens. */
  readonly warnings?: readonly string[];
}

/** They end the app in order once it exists. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Creates an app and lets it listen. A signal before the app exists ends the process at once with the status that a shell
 * reports for it (143 for SIGTERM); listeners of the process's `exit` still run. When creating or listening fails, what was
 * started is closed again and the process exits with 1; mistakes in the environment and errors of the operating system are
 * reported on standard error without a stack.
 */
export async function startService(create: () => Promise<ServiceStart>): Promise<void> {
  try {
    const { app, listen, logger, warnings = [] } = await endingOnSignals(create);
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

/** A signal's default action runs no `exit` listeners, and is ignored for process 1 of a container. */
async function endingOnSignals<T>(work: () => Promise<T>): Promise<T> {
  SIGNALS.forEach((signal) => process.on(signal, exitBy));
  try {
    return await work();
  } finally {
    SIGNALS.forEach((signal) => process.off(signal, exitBy));
  }
}

function exitBy(signal: NodeJS.Signals): void {
  process.exit(128 + constants.signals[signal]);
}

async function listenOrClose(app: NestExpressApplication, { host, port }: HostPort): Promise<void> {
  const server: Server = app.getHttpServer();
  limitSlowRequests(server);
  try {
    // A failure here has nothing to do with the address.
    await app.init();
    await app.listen(port, host).catch((cause: unknown) => {
      throw new ListenError(`${host.includes(':') ? `[${host}]` : host}:${port}`, { cause });
    });
  } catch (error) {
    await app.close();
    throw error;
  }
}

function explain(error: unknown): string {
  // Both messages tell an operator what to do; a stack would not help.
  if (error instanceof ConfigurationError || error instanceof DomainError) {
    return error.message;
  }
  if (error instanceof ListenError && isSystemError(error.cause)) {
    return `${error.message}: ${error.cause.message}; ${LISTEN_ADVICE[error.cause.code] ?? 'choose another address'}`;
  }
  return isSystemError(error) ? redactText(`cannot start: ${error.message}`) : redactText(inspect(error));
}

/** An error of the operating system; its message names the operation and the path or address. */
function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return isNativeError(error) && 'syscall' in error && codeOf(error) !== undefined;
}
