import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import { headers } from './nats-package.js';
import { InvalidNameError } from '../backend.errors.js';
import { type NatsInput, type NatsScope, toBytes } from './nats-scope.js';

/** One text for each name. */
export type NatsHeaders = Readonly<Record<string, string>>;

const MAX_HEADERS = 100;
const MAX_VALUE_LENGTH = 4_096;
const NAME = /^[\w-]{1,64}$/;

/**
 * What the servers take for instructions begins like this: a message could ask for more copies of itself, or for reports
 * of its way, to be sent to any subject.
 */
const RESERVED = /^nats-/i;

/** @throws {InvalidNameError} when a name is reserved, or none; {RangeError} when there are too many or too long ones */
export function toMsgHdrs(given: NatsHeaders | undefined): MsgHdrs | undefined {
  if (given === undefined) {
    return undefined;
  }
  const entries = Object.entries(given);
  if (entries.length > MAX_HEADERS) {
    throw new RangeError(`expected at most ${MAX_HEADERS} headers, found ${entries.length}`);
  }
  const result = headers();
  for (const [name, value] of entries) {
    if (!NAME.test(name) || RESERVED.test(name)) {
      throw new InvalidNameError(
        'NATS header',
        name,
        '1 to 64 letters, digits, "_" and "-", not beginning with "Nats-"',
      );
    }
    requireValue(name, value);
    result.set(name, value);
  }
  return result;
}

/** The first value of each name. */
export function fromMsgHdrs(given: MsgHdrs | undefined): ReadonlyMap<string, string> {
  return new Map(given?.keys().map((name) => [name, given.get(name)]));
}

function requireValue(name: string, value: unknown): void {
  if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH || /[\p{Cc}\p{Cs}]/u.test(value)) {
    throw new RangeError(`header ${name}: expected at most ${MAX_VALUE_LENGTH} characters and no control characters`);
  }
}

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
