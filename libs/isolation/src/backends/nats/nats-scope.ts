import {
  ClosedConnectionError,
  NoRespondersError as NobodyError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
} from './nats-package.js';
import type { ScopeContext } from '../backend-driver.js';
import { BackendTimeoutError, ConnectionLostError } from '../backend.errors.js';
import { NoRespondersError } from './nats.errors.js';
import type { PrivilegedLinks } from '../privileged-links.js';
import { PieceOfWork } from '../piece-of-work.js';
import type { NatsLink } from './nats-link.js';
import type { SubjectSpace } from './subject-space.js';

/** What a caller may send: text (as UTF-8) or bytes. */
export type NatsInput = string | Uint8Array;

/** One piece of work over a connection that others work over too. */
export class NatsScope extends PieceOfWork {
  constructor(
    context: ScopeContext,
    readonly link: NatsLink,
    readonly names: SubjectSpace,
    readonly managers: PrivilegedLinks<NatsLink> | undefined,
  ) {
    super(context);
  }

  /** What `start` comes to, while `data` is held for it. */
  async answer<T>(data: Uint8Array, start: () => Promise<T>): Promise<T> {
    this.requireUnderWay();
    using _held = this.context.hold(data.length);
    return await this.unlessAborted(start());
  }
}

/** @throws {TypeError} when it is neither text nor bytes, or has half a surrogate pair, which UTF-8 cannot say */
export function toBytes(input: NatsInput): Uint8Array {
  if (typeof input === 'string') {
    if (!input.isWellFormed()) {
      throw new TypeError('expected text without halves of surrogate pairs; send bytes instead');
    }
    return Buffer.from(input);
  }
  if (input instanceof Uint8Array) {
    return input;
  }
  throw new TypeError(`expected text or bytes, found ${typeof input}`);
}

/** What a request of the client beneath has failed with, in our terms where we have any. */
export function toRequestError(error: unknown, subject: string, timeoutMs: number): unknown {
  const causes = [...causesOf(error)];
  if (causes.some((cause) => cause instanceof NobodyError)) {
    return new NoRespondersError(subject, { cause: error });
  }
  if (causes.some((cause) => cause instanceof TimeoutError)) {
    return new BackendTimeoutError('nats', `request ${JSON.stringify(subject)}`, timeoutMs, { cause: error });
  }
  const violation = causes.find((cause) => cause instanceof PermissionViolationError);
  if (violation !== undefined) {
    return violation;
  }
  // The client has this kind of error, without a cause, for requests under way when the connection ends.
  const isLost = causes.some((cause) => cause instanceof ClosedConnectionError || cause instanceof RequestError);
  return isLost ? new ConnectionLostError('nats', { cause: error }) : error;
}

function* causesOf(error: unknown): Generator<Error, void> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    yield cause;
  }
}
