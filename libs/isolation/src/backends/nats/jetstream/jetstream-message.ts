import type { JsMsg } from '@nats-io/jetstream';
import { NatsPayload } from '../nats-message.js';
import type { NatsScope } from '../nats-scope.js';

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

  /** It takes longer: the time for its acknowledgement begins anew. */
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
