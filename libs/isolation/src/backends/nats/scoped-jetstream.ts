import { Disposables } from '@palisade/async';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { jetstream, JetStreamApiCodes, JetStreamApiError, jetstreamManager } from './jetstream-package.js';
import { type JetStreamMessage, pull, type PullOptions } from './jetstream-message.js';
import {
  type ConsumerSettings,
  type StreamSettings,
  type StreamState,
  toConsumerConfig,
  toStreamConfig,
} from './jetstream-settings.js';
import type { NatsLink } from './nats-link.js';
import { type NatsHeaders, toMsgHdrs } from './nats-message.js';
import { type NatsInput, type NatsScope, toBytes, toRequestError } from './nats-scope.js';

export interface StreamPublishOptions {
  /** A message with an id that the stream has had within its window is not kept again. */
  readonly messageId?: string;
  readonly headers?: NatsHeaders;
  /** How long to wait for the stream. Default 5,000. */
  readonly timeoutMs?: number;
}

export interface StreamPosition {
  /** The message's number in the stream. */
  readonly sequence: number;
  /** Whether the stream had it already. */
  readonly isDuplicate: boolean;
}

const TIMEOUT_MS = 5_000;
const MAX_MESSAGE_ID_LENGTH = 255;

/**
 * Streams of one namespace: they keep messages to its subjects, for consumers that are its own. Names of streams and
 * consumers are 1 to 128 letters, digits, `_` and `-`.
 */
export class ScopedJetStream {
  readonly #scope: NatsScope;

  constructor(scope: NatsScope) {
    this.#scope = scope;
  }

  /**
   * Makes a stream; the same again does nothing.
   *
   * @throws {JetStreamApiError} when there is one with other settings, or one of another name has the subjects
   */
  async createStream(name: string, settings: StreamSettings): Promise<void> {
    const config = toStreamConfig(this.#scope.names, name, settings);
    await this.#manage((manager) => manager.streams.add(config));
  }

  /** Changes the settings of a stream; not all of them can be changed. */
  async updateStream(name: string, settings: StreamSettings): Promise<void> {
    const { name: serverName, ...config } = toStreamConfig(this.#scope.names, name, settings);
    await this.#manage((manager) => manager.streams.update(serverName, config));
  }

  async findStream(name: string): Promise<StreamState | undefined> {
    const serverName = this.#scope.names.stream(name);
    const info = await unlessMissing(this.#ask((manager) => manager.streams.info(serverName)));
    return (
      info && {
        messages: info.state.messages,
        bytes: info.state.bytes,
        firstSequence: info.state.first_seq,
        lastSequence: info.state.last_seq,
        consumers: info.state.consumer_count,
      }
    );
  }

  /** False when there is no such stream. */
  async deleteStream(name: string): Promise<boolean> {
    const serverName = this.#scope.names.stream(name);
    return (await unlessMissing(this.#manage((manager) => manager.streams.delete(serverName)))) ?? false;
  }

  /** Makes a consumer, or changes its settings as far as that is possible. It remembers what was acknowledged. */
  async createConsumer(stream: string, name: string, settings: ConsumerSettings = {}): Promise<void> {
    const { names } = this.#scope;
    const serverStream = names.stream(stream);
    const config = toConsumerConfig(names, name, settings);
    await this.#manage((manager) => manager.consumers.add(serverStream, config));
  }

  /** False when there is no such stream or consumer. */
  async deleteConsumer(stream: string, name: string): Promise<boolean> {
    const { names } = this.#scope;
    const [serverStream, serverName] = [names.stream(stream), names.stream(name, 'consumer')];
    const deleting = this.#manage((manager) => manager.consumers.delete(serverStream, serverName));
    return (await unlessMissing(deleting)) ?? false;
  }

  /**
   * Resolves when the stream of the subject keeps the message.
   *
   * @throws {NoRespondersError} when no stream has the subject
   * @throws {BackendTimeoutError} when the stream does not confirm in time; with a `messageId` it can be sent again
   */
  async publish(subject: string, data: NatsInput = '', options: StreamPublishOptions = {}): Promise<StreamPosition> {
    const { messageId, headers, timeoutMs = TIMEOUT_MS } = options;
    const { link, names } = this.#scope;
    const [serverSubject, bytes, msgID] = [names.subject(subject), toBytes(data), requireMessageId(messageId)];
    const request = { msgID, timeout: timeoutMs, headers: toMsgHdrs(headers) };
    try {
      const publishing = () => link.unlessLost(clientOf(link).publish(serverSubject, bytes, request));
      const { seq, duplicate } = await this.#scope.answer(bytes, publishing);
      return { sequence: seq, isDuplicate: duplicate };
    } catch (error) {
      throw toRequestError(error, subject, timeoutMs);
    }
  }

  /** As many messages as `maxMessages` says; when they do not come within `waitMs`, those that have come. */
  async fetch(stream: string, consumer: string, options: PullOptions = {}): Promise<JetStreamMessage[]> {
    const messages: JetStreamMessage[] = [];
    using held = new Disposables();
    for await (const message of await this.#pull(stream, consumer, options)) {
      held.use(this.#scope.context.hold(message.data.length));
      messages.push(message);
    }
    return messages;
  }

  /**
   * Messages as they come, until the loop is left or the work ends. So many at a time are taken as `maxMessages` says; those
   * that were taken and not acknowledged come again.
   */
  async *consume(
    stream: string,
    consumer: string,
    options: PullOptions = {},
  ): AsyncGenerator<JetStreamMessage, void, undefined> {
    while (!this.#scope.isEnded) {
      for await (const message of await this.#pull(stream, consumer, options)) {
        using _held = this.#scope.context.hold(message.data.length);
        yield message;
      }
    }
  }

  async #pull(stream: string, name: string, options: PullOptions): Promise<AsyncIterable<JetStreamMessage>> {
    const { link, names } = this.#scope;
    const [serverStream, serverName] = [names.stream(stream), names.stream(name, 'consumer')];
    this.#scope.requireUnderWay();
    const consumer = await this.#unlessEnded(link, clientOf(link).consumers.get(serverStream, serverName));
    return pull(this.#scope, consumer, options);
  }

  /** Over the connection of the namespace. */
  async #ask<T>(request: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    const { link } = this.#scope;
    this.#scope.requireUnderWay();
    return this.#unlessEnded(link, managerOf(link).then(request));
  }

  /** Over a connection that may make streams. */
  async #manage<T>(request: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    const { managers, context } = this.#scope;
    this.#scope.requireUnderWay();
    return managers === undefined
      ? this.#ask(request)
      : managers.run((link) => this.#unlessEnded(link, managerOf(link).then(request)), context.signal);
  }

  #unlessEnded<T>(link: NatsLink, promise: Promise<T>): Promise<T> {
    return this.#scope.unlessAborted(link.unlessLost(promise));
  }
}

function clientOf({ client }: NatsLink): JetStreamClient {
  return jetstream(client, { timeout: TIMEOUT_MS });
}

function managerOf({ client }: NatsLink): Promise<JetStreamManager> {
  return jetstreamManager(client, { timeout: TIMEOUT_MS, checkAPI: false });
}

const MISSING: ReadonlySet<number> = new Set([JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound]);

async function unlessMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof JetStreamApiError && MISSING.has(error.code)) {
      return undefined;
    }
    throw error;
  }
}

/** It is sent as a header. */
function requireMessageId(id: string | undefined): string | undefined {
  if (id === undefined) {
    return undefined;
  }
  if (typeof id !== 'string' || id === '' || id.length > MAX_MESSAGE_ID_LENGTH || /[\p{Cc}\p{Cs}]/u.test(id)) {
    throw new RangeError(`messageId: expected 1 to ${MAX_MESSAGE_ID_LENGTH} characters and no control characters`);
  }
  return id;
}
