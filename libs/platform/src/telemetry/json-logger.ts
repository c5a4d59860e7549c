import { isNativeError } from 'node:util/types';
import type { LoggerService } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { destination, type DestinationStream, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino';
import type { FinishedRequest, RequestObserver } from '../http/observe-requests.js';
import { currentRequest } from '../http/request-context.js';
import { redactText } from '@palisade/domain';
import { redact } from './redact.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The contexts in which Nest reports every module and route that it sets up. */
const FRAMEWORK_CONTEXTS: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

export interface JsonLoggerOptions {
  /** Added to every line. */
  readonly service: string;
  readonly level: LogLevel;
  /** Standard output unless given. */
  readonly stream?: DestinationStream;
}

/**
 * Nest's logger as JSON lines: `level`, `time`, `service`, `msg`, `context` (the Logger's name), the fields of the current
 * request (`request_id`, `provider`, …), `trace_id` and `span_id` within a span, `err` for an Error among the arguments, and
 * the properties of objects among them. Secrets are redacted.
 *
 * Lines are written asynchronously; they are complete after a normal exit and after `process.exit`.
 */
export class JsonLogger implements LoggerService {
  readonly #pino: Logger;

  constructor({ service, level, stream = destination({ fd: 1, sync: false }) }: JsonLoggerOptions) {
    const formatters = { level: (label: string) => ({ level: label }) };
    // What reaches pino under `err` has been described already.
    const serializers = { err: (described: unknown) => described };
    this.#pino = pino(
      { level, base: { service }, timestamp: stdTimeFunctions.isoTime, formatters, serializers, mixin: requestFields },
      stream,
    );
  }

  log(message: unknown, ...parameters: unknown[]): void {
    const isFrameworkDetail = FRAMEWORK_CONTEXTS.has(parameters.at(-1));
    this.#write(isFrameworkDetail ? 'debug' : 'info', message, parameters);
  }

  error(message: unknown, ...parameters: unknown[]): void {
    this.#write('error', message, parameters);
  }

  warn(message: unknown, ...parameters: unknown[]): void {
    this.#write('warn', message, parameters);
  }

  debug(message: unknown, ...parameters: unknown[]): void {
    this.#write('debug', message, parameters);
  }

  verbose(message: unknown, ...parameters: unknown[]): void {
    this.#write('trace', message, parameters);
  }

  fatal(message: unknown, ...parameters: unknown[]): void {
    this.#write('fatal', message, parameters);
  }

  /** Writes a line without redacting it, which is cheap: the caller knows that the fields hold no secret. */
  write(level: LogLevel, fields: object, message: string): void {
    this.#pino[level](fields, message);
  }

  #write(level: LogLevel, message: unknown, parameters: readonly unknown[]): void {
    if (this.#pino.isLevelEnabled(level)) {
      const write: LogFn = this.#pino[level].bind(this.#pino);
      const { text, ...fields } = toRecord(message, parameters);
      write(fields, text);
    }
  }
}

function requestFields(): object {
  // A copy, because pino adds the fields of the line to it.
  return { ...currentRequest()?.logFields, ...spanLogFields() };
}

/** Nest's convention: the last text among the parameters is the context, an earlier one (or one of many lines) a stack. */
function toRecord(message: unknown, parameters: readonly unknown[]): { text: string; [field: string]: unknown } {
  const values = [message, ...parameters].filter((value) => value !== undefined);
  const last = values.at(-1);
  const context = parameters.length > 0 && typeof last === 'string' && !last.includes('\n') ? last : undefined;
  const rest = context === undefined ? values : values.slice(0, -1);
  const error = rest.find(isNativeError);
  const texts = rest.filter((value) => typeof value === 'string').map(redactText);
  const fields = rest.filter((value) => typeof value === 'object' && value !== null && !isNativeError(value));
  const [text = error?.message ?? '', ...details] = texts;
  return {
    ...Object.assign({}, ...fields.map((each) => redact(each))),
    ...(context !== undefined && { context }),
    ...(error !== undefined && { err: redact(error) }),
    ...(details.length > 0 && { details }),
    text: redactText(text),
  };
}

/** The fields that link a log line to the current span; undefined outside of one. */
export function spanLogFields(): { readonly trace_id: string; readonly span_id: string } | undefined {
  const span = trace.getActiveSpan();
  if (span === undefined) {
    return undefined;
  }
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

/** Probes and scrapes come every few seconds and are of no interest while they succeed. */
const QUIET_ROUTES: ReadonlySet<string | undefined> = new Set(['/health/live', '/health/ready', '/metrics']);

/** One line per request at `info`; for probes and scrapes at `debug`. */
export function accessLog(logger: JsonLogger): RequestObserver {
  return (request) => {
    const level = QUIET_ROUTES.has(request.route) ? 'debug' : 'info';
    logger.write(level, toFields(request), 'request');
  };
}

function toFields({ context, durationMs, aborted, ...request }: FinishedRequest): object {
  const ms = Math.round(durationMs * 10) / 10;
  const { method, route, path, status, bytes } = request;
  return { ...context?.logFields, method, route, path, status, ms, bytes, ...(aborted && { aborted }) };
}
