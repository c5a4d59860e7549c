import { onAbort } from '@palisade/async';
import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { ConnectionLostError } from '../backend.errors.js';
import { NatsPayload } from './nats-message.js';
import type { NatsScope } from './nats-scope.js';

/** A message of a stream, as a consumer of the namespace has it. It comes again unless it is acknowledged in time. */
export class JetStreamMessage extends NatsPayload {
  readonly #message: JsMsg;
  readonly #scope: NatsScope;

  constructor(
    /** As the namespace calls it. */
    readonly subject: string,
    message: JsMsg,
    scope: NatsScope,
  ) {
    super(message);
    this.#message = message;
    this.#scope = scope;
  }

  /** Its number in the stream. */
  get sequence(): number {
    return this.#message.info.streamSequence;
  }

  /** How often it was delivered, this time included. */
  get deliveries(): number {
    return this.#message.info.deliveryCount;
  }

  /** It is done: it does not come again. Resolves when the server knows. */
  async ack(): Promise<void> {
    await this.#tell(() => this.#message.ack());
  }

  /** It could not be done: it comes again, after a while if wanted. */
  async nak(delayMs?: number): Promise<void> {
    await this.#tell(() => this.#message.nak(delayMs));
  }

  /** It takes longer: the time for its acknowledgement starts again. */
  async working(): Promise<void> {
    await this.#tell(() => this.#message.working());
  }

  /** It will never be done: it does not come again. */
  async term(): Promise<void> {
    await this.#tell(() => this.#message.term());
  }

  async #tell(send: () => void): Promise<void> {
    const { link } = this.#scope;
    this.#scope.requireUnderWay();
    send();
    await link.confirmed();
  }
}

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
  const part = { [Symbol.asyncDispose]: async () => messages.stop() };
  using _ = onAbort(context.signal, () => messages.stop(context.signal.reason));
  scope.begin(part);
  try {
    for await (const message of messages) {
      const subject = names.strip(message.subject);
      if (subject !== undefined) {
        yield new JetStreamMessage(subject, message, scope);
      }
    }
  } finally {
    scope.forget(part);
  }
  if (!link.isUsable) {
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
