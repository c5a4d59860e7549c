import type { Consumer } from '@nats-io/jetstream';
import { ConnectionLostError } from '../../errors/connection-lost.error.js';
import type { NatsScope } from '../nats-scope.js';
import { JetStreamMessage } from './jetstream-message.js';

export interface PullOptions {
  /** Messages to take at a time, up to 1,000. Default 50. */
  readonly maxMessages?: number;
  /** How long to wait for so many, at least 1,000. Default 5,000. */
  readonly waitMs?: number;
}

const MAX_MESSAGES = 1_000;
const MIN_WAIT_MS = 1_000;

/** Takes messages once: it ends when there are so many, or the time is over, or the work has ended. */
export async function* pull(
  scope: NatsScope,
  consumer: Consumer,
  { maxMessages = 50, waitMs = 5_000 }: PullOptions,
): AsyncGenerator<JetStreamMessage, void, undefined> {
  const { link, names, context } = scope;
  const max_messages = requireRange('maxMessages', maxMessages, 1, MAX_MESSAGES);
  const expires = requireRange('waitMs', waitMs, MIN_WAIT_MS, Number.MAX_SAFE_INTEGER);
  const messages = await consumer.fetch({ max_messages, expires });
  const onAbort = () => messages.stop(context.signal.reason);
  const part = { [Symbol.asyncDispose]: async () => messages.stop() };
  context.signal.addEventListener('abort', onAbort, { once: true });
  scope.begin(part);
  try {
    for await (const message of messages) {
      const subject = names.strip(message.subject);
      if (subject !== undefined) {
        yield new JetStreamMessage(subject, message, scope);
      }
    }
  } finally {
    context.signal.removeEventListener('abort', onAbort);
    scope.forget(part);
  }
  if (!link.isOpen) {
    throw new ConnectionLostError('nats');
  }
}

/** @throws {RangeError} */
function requireRange(name: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new RangeError(`${name}: expected a whole number from ${min} to ${max}, found ${value}`);
  }
  return value;
}
