import { isNativeError } from 'node:util/types';
import { DomainError } from '@palisade/domain';
import { AuthenticationError, NetworkError, ProtocolError, TimeoutError, UserError } from './kafka-package.js';
import { ConnectionLostError } from '../backend.errors.js';

/** A record is invalid, or there are too many at once; nothing was sent. */
export class InvalidRecordError extends DomainError {
  readonly code = 'INVALID_RECORD';

  constructor(
    readonly path: string,
    readonly expected: string,
  ) {
    super(`kafka: ${path}: expected ${expected}`);
  }
}

/** A broker has answered that it will not do what was asked. */
export class KafkaRejectedError extends DomainError {
  readonly code = 'KAFKA_REJECTED';

  /** `reason` is Kafka's name for it, such as `TOPIC_AUTHORIZATION_FAILED`; `isTransient` says that it may be otherwise soon. */
  constructor(
    readonly operation: string,
    readonly reason: string,
    readonly isTransient: boolean,
    options?: ErrorOptions,
  ) {
    super(`kafka: ${operation} was rejected: ${reason}`, options);
  }
}

/** The namespace has as many consumers and transactions open as it may: each has connections of its own. */
export class TooManyConsumersError extends DomainError {
  readonly code = 'TOO_MANY_CONSUMERS';
  readonly retryAfterSeconds = 1;

  constructor(readonly max: number) {
    super(`kafka: expected at most ${max} consumers and transactions of a namespace at once`);
  }
}

const NAME = 'kafka';

/** Errors hold errors: those of each attempt, and their causes. */
const MAX_DEPTH = 10;

/** OpenSSL's names for what the other side has said when it rejects a client's certificate, or wants one. */
const CERTIFICATE_ALERT = /^ERR_SSL_.{0,40}ALERT_(?:.{0,40}CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/;

/** The first error within `error`, itself included, that `matches`. */
export function findWithin<E extends Error>(
  error: unknown,
  matches: (candidate: Error) => candidate is E,
  depth = 0,
): E | undefined {
  if (!isNativeError(error) || depth > MAX_DEPTH) {
    return undefined;
  }
  if (matches(error)) {
    return error;
  }
  const inner: unknown[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  for (const candidate of [...inner, error.cause]) {
    const found = findWithin(candidate, matches, depth + 1);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** Whether a server has rejected the login. */
export function isRejectedLogin(error: unknown): boolean {
  return findWithin(error, isLoginError) !== undefined;
}

/** What the client of Kafka throws, in terms of what callers may be told; `operation` is what was tried. */
export function toKafkaFailure(error: unknown, operation: string): unknown {
  const protocolError = findWithin(error, isProtocolError);
  if (protocolError !== undefined) {
    return new KafkaRejectedError(operation, String(protocolError.apiId), protocolError.canRetry === true, {
      cause: error,
    });
  }
  if (findWithin(error, isUnknownTopic) !== undefined) {
    return new KafkaRejectedError(operation, 'UNKNOWN_TOPIC_OR_PARTITION', false, { cause: error });
  }
  const isNetwork = findWithin(error, isNetworkError) !== undefined;
  return isNetwork ? new ConnectionLostError(NAME, { cause: error }) : error;
}

function isProtocolError(error: Error): error is ProtocolError {
  return error instanceof ProtocolError;
}

function isUnknownTopic(error: Error): error is UserError {
  return error instanceof UserError && error.message.startsWith('Unknown topic ');
}

/** After a time-out the client of Kafka has closed the connection. */
function isNetworkError(error: Error): error is NetworkError | TimeoutError {
  return error instanceof NetworkError || error instanceof TimeoutError;
}

function isLoginError(error: Error): error is Error {
  return error instanceof AuthenticationError || ('code' in error && CERTIFICATE_ALERT.test(String(error.code)));
}
