import type { Subscription } from '@nats-io/transport-node';
import { BufferedSubscription, type MessageSource, type SubscribeLimits } from '../buffered-subscription.js';
import type { MessageBuffer } from '../message-buffer.js';
import { ScopedJetStream } from './scoped-jetstream.js';
import { type NatsHeaders, NatsMessage, NatsPayload, toMsgHdrs } from './nats-message.js';
import { toBytes, toRequestError, type NatsInput, type NatsScope } from './nats-scope.js';

export interface PublishOptions {
  readonly headers?: NatsHeaders;
}

export interface RequestOptions extends PublishOptions {
  /** How long to wait for the reply. Default 2,000. */
  readonly timeoutMs?: number;
}

export interface NatsSubscribeOptions extends SubscribeLimits {
  /** Each message goes to one subscription of the group only. */
  readonly queue?: string;
}

export type NatsSubscription = BufferedSubscription<NatsMessage>;

const DEFAULT_REQUEST_TIMEOUT_MS = 2_000;

/**
 * A client of one namespace's subjects, and streams of them. It serves one piece of work over a connection that others
 * of the namespace work over too, and ends what it has begun.
 */
export class ScopedNats implements AsyncDisposable {
  readonly jetstream: ScopedJetStream;
  readonly #scope: NatsScope;

  constructor(scope: NatsScope) {
    this.#scope = scope;
    this.jetstream = new ScopedJetStream(scope);
  }

  /**
   * Resolves when the server has the message, which those who are subscribed get at most once.
   *
   * @throws {InvalidNameError} when the subject is invalid
   */
  async publish(subject: string, data: NatsInput = '', { headers }: PublishOptions = {}): Promise<void> {
    const { link, names } = this.#scope;
    const bytes = toBytes(data);
    const message = { subject: names.subject(subject), data: bytes, headers: toMsgHdrs(headers) };
    await this.#scope.answer(bytes, () => link.publish(message));
  }

  /**
   * The first response.
   *
   * @throws {NoRespondersError} when nobody is subscribed who could respond
   * @throws {BackendTimeoutError} when nobody does in time
   * @throws {InvalidNameError} when the subject is invalid
   */
  async request(subject: string, data: NatsInput = '', options: RequestOptions = {}): Promise<NatsPayload> {
    const { timeoutMs = DEFAULT_REQUEST_TIMEOUT_MS, headers } = options;
    const { link, names } = this.#scope;
    const bytes = toBytes(data);
    const message = { subject: names.subject(subject), data: bytes, headers: toMsgHdrs(headers) };
    try {
      return new NatsPayload(await this.#scope.answer(bytes, () => link.request(message, timeoutMs)));
    } catch (error) {
      throw toRequestError(error, subject, timeoutMs);
    }
  }

  /**
   * Messages to subjects of the namespace (`*` stands for one token, `>` at the end for one or more), from when this
   * resolves.
   *
   * @throws {InvalidNameError} when it describes no subjects
   */
  async subscribe(subject: string, { queue, ...limits }: NatsSubscribeOptions = {}): Promise<NatsSubscription> {
    const { names } = this.#scope;
    const target = {
      subject: names.subjectPattern(subject),
      queue: queue === undefined ? undefined : names.queue(queue),
    };
    return BufferedSubscription.open(this.#scope, new SubjectSource(this.#scope, target), limits);
  }

  /** Ends subscriptions; from then on the client rejects everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scope[Symbol.asyncDispose]();
  }
}

interface SubjectTarget {
  readonly subject: string;
  readonly queue: string | undefined;
}

/** Messages to subjects of a namespace. */
class SubjectSource implements MessageSource<NatsMessage> {
  #subscription: Subscription | undefined = undefined;

  constructor(
    private readonly scope: NatsScope,
    private readonly target: SubjectTarget,
  ) {}

  async start(buffer: MessageBuffer<NatsMessage>): Promise<void> {
    const { link, names } = this.scope;
    const ended = Promise.withResolvers<never>();
    this.#subscription = link.subscribe(this.target.subject, this.target.queue, {
      onMessage: (message) => {
        const subject = names.strip(message.subject);
        if (subject !== undefined) {
          buffer.push(new NatsMessage(subject, message, this.scope), message.data.length);
        }
      },
      onEnd: (error) => {
        ended.reject(error);
        buffer.end(error);
      },
    });
    await Promise.race([this.scope.answer(NOTHING, () => link.confirmed()), ended.promise]);
  }

  async stop(): Promise<void> {
    if (this.#subscription?.isClosed() === false) {
      this.#subscription.unsubscribe();
      await this.scope.link.confirmed();
    }
  }
}

const NOTHING = new Uint8Array();
