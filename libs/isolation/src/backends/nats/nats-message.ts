import type { Msg } from '@nats-io/transport-node';
import { InvalidNameError } from '../../separation/invalid-name.error.js';
import { fromMsgHdrs, toMsgHdrs, type NatsHeaders } from './nats-headers.js';
import { toBytes, type NatsInput, type NatsScope } from './nats-scope.js';

/** What a message says. */
export class NatsPayload {
  readonly #message: Pick<Msg, 'data' | 'headers'>;

  constructor(message: Pick<Msg, 'data' | 'headers'>) {
    this.#message = message;
  }

  get data(): Uint8Array {
    return this.#message.data;
  }

  /** The data as UTF-8. */
  get text(): string {
    return Buffer.from(this.data.buffer, this.data.byteOffset, this.data.byteLength).toString();
  }

  get headers(): ReadonlyMap<string, string> {
    return fromMsgHdrs(this.#message.headers);
  }
}

/** A message to a subject of the namespace. */
export class NatsMessage extends NatsPayload {
  readonly #scope: NatsScope;
  readonly #reply: string | undefined;

  constructor(
    /** As the namespace calls it. */
    readonly subject: string,
    message: Msg,
    scope: NatsScope,
  ) {
    super(message);
    this.#scope = scope;
    this.#reply = message.reply;
  }

  /** Whether somebody of the namespace waits for a response. */
  get isRequest(): boolean {
    return this.#reply !== undefined && this.#scope.names.isOwnReply(this.#reply, this.#scope.link.inboxPrefix);
  }

  /**
   * Resolves when the server has the response.
   *
   * @throws {InvalidNameError} when nobody waits for one, or the message says that it should go to somebody who is not of
   * the namespace
   */
  async respond(data: NatsInput, { headers }: { readonly headers?: NatsHeaders } = {}): Promise<void> {
    const reply = this.#reply;
    if (reply === undefined || !this.isRequest) {
      throw new InvalidNameError('NATS reply', reply ?? '', 'a subject of the namespace');
    }
    const bytes = toBytes(data);
    const outgoing = { subject: reply, data: bytes, headers: toMsgHdrs(headers) };
    await this.#scope.answer(bytes, () => this.#scope.link.publish(outgoing));
  }
}
