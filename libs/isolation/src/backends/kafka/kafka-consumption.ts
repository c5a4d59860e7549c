import { Disposables, onAbort, untilAborted } from '@palisade/async';
import type { Message } from '@platformatic/kafka';
import { Consumer } from './kafka-package.js';
import { type KafkaMessage, toKafkaMessage } from './kafka-message.js';
import { CONSUMER_RETRIES } from './kafka-options.js';
import type { KafkaScope } from './kafka-scope.js';
import { toKafkaFailure } from './kafka.errors.js';
import type { SideClient } from './side-client.js';

export interface ConsumeOptions {
  /** Consumers of one group share the topic's partitions. */
  readonly group: string;
  /** Where a group begins that has not committed anything. Default `latest`: with what comes from now on. */
  readonly from?: 'earliest' | 'latest';
  /** Bytes, as they are stored, that a broker sends at once; as many wait here at most. Default 1 MiB. */
  readonly maxBytes?: number;
  /** How long the group waits for a consumer of which nothing is heard. Default 30,000. */
  readonly sessionTimeoutMs?: number;
}

const DEFAULT_MAX_BYTES = 1024 * 1024;
const DEFAULT_SESSION_TIMEOUT_MS = 30_000;
const MAX_HEARTBEAT_INTERVAL_MS = 3_000;
const HEARTBEATS_PER_SESSION = 3;
const REBALANCE_TIMEOUT_MS = 60_000;
const MAX_WAIT_MS = 1_000;

type RawConsumeOptions = Parameters<Consumer['consume']>[0];
type RawStream = Awaited<ReturnType<Consumer['consume']>>;

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Messages of a topic, as a member of a consumer group. None is fetched before somebody asks, and no more before those that
 * were fetched are consumed. Short interruptions are bridged.
 *
 * It ends when its consumer leaves the loop, when it is disposed of, and with the work; with an error when the work is
 * aborted, the cluster stays unreachable, or the group has given the partitions to somebody else. Then it has left the group, and
 * what was not committed comes again to whoever continues.
 */
export class KafkaConsumption implements AsyncIterableIterator<KafkaMessage, undefined>, AsyncDisposable {
  readonly #scope: KafkaScope;
  readonly #topic: string;
  readonly #side: SideClient<Consumer>;
  readonly #held: Disposable;
  readonly #ended = new AbortController();
  readonly #listening = new Disposables();
  #stream: RawStream | undefined = undefined;
  #iterator: AsyncIterator<Message> | undefined = undefined;
  #ending: Promise<void> | undefined = undefined;
  #failure: { readonly error: unknown } | undefined = undefined;

  private constructor(scope: KafkaScope, topic: string, side: SideClient<Consumer>, held: Disposable) {
    this.#scope = scope;
    this.#topic = topic;
    this.#side = side;
    this.#held = held;
    // It has failed to join again after a rebalance, and does not try any more.
    side.client.on('error', (error) => void this.#end(this.#explain(error)));
    for (const signal of [scope.context.signal, side.signal]) {
      this.#listening.use(onAbort(signal, () => void this.#end(signal.reason))); // never rejects
    }
    scope.begin(this);
  }

  /** Resolves when the group has taken us in, and it is clear where we begin. */
  static async open(scope: KafkaScope, topic: string, options: ConsumeOptions): Promise<KafkaConsumption> {
    scope.requireUnderWay();
    const { maxBytes = DEFAULT_MAX_BYTES } = options;
    const [name, groupId] = [scope.names.topic(topic), scope.names.group(options.group)];
    // Said at once; the consumer would ask again and again.
    await scope.connection.requireTopic(name, describe(topic));
    scope.requireUnderWay();
    const held = scope.context.hold(maxBytes * scope.connection.brokerCount);
    const side = beginConsumer(scope, groupId, options, held);
    const consumption = new KafkaConsumption(scope, topic, side, held);
    await consumption.#join(name, options.from ?? 'latest', maxBytes);
    return consumption;
  }

  async next(): Promise<IteratorResult<KafkaMessage, undefined>> {
    while (this.#ending === undefined) {
      try {
        const result = await this.#iterator?.next();
        if (result === undefined || result.done === true) {
          void this.#end(); // never rejects
        } else if (this.#ending === undefined) {
          this.#scope.context.countRows(1);
          return { done: false, value: this.#present(result.value) };
        }
      } catch (error) {
        void this.#end(this.#explain(error));
      }
    }
    const failure = this.#failure;
    this.#failure = undefined; // told once
    if (failure !== undefined) {
      throw failure.error;
    }
    return DONE;
  }

  /** The consumer leaves. */
  async return(): Promise<IteratorResult<KafkaMessage, undefined>> {
    await this[Symbol.asyncDispose]();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Resolves when it has left the group and its sockets are closed. Never rejects. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    this.#failure = undefined;
  }

  async #join(name: string, from: 'earliest' | 'latest', maxBytes: number): Promise<void> {
    const joined = Promise.withResolvers<void>();
    const options: RawConsumeOptions = {
      topics: [name],
      mode: 'committed',
      fallbackMode: from,
      autocommit: false,
      // Something is fetched when nothing waits any more, so that what waits is never more than one answer of each broker.
      highWaterMark: 1,
      maxBytes,
      maxWaitTime: MAX_WAIT_MS,
    };
    // Called back, because the stream may fail before whoever waits for a promise gets it.
    this.#side.client.consume(options, (error, stream) => {
      if (stream === undefined) {
        joined.reject(error);
      } else {
        this.#attach(stream);
        stream.once('offsets', joined.resolve).once('error', joined.reject);
        stream.once('close', () => joined.reject(new Error('the stream was closed')));
      }
    });
    joined.promise.catch(() => {}); // told below, unless we have left before
    try {
      await untilAborted(joined.promise, this.#ended.signal);
    } catch (error) {
      if (this.#ending === undefined) {
        await this.#end();
        throw this.#explain(error);
      }
      throw error;
    }
  }

  #attach(stream: RawStream): void {
    this.#side.sockets.watch(stream.connections);
    stream.on('error', (error) => void this.#end(this.#explain(error)));
    this.#stream = stream;
    this.#iterator = stream[Symbol.asyncIterator]();
    if (this.#ending !== undefined) {
      stream.destroy();
    }
  }

  #present(raw: Message): KafkaMessage {
    const commit = async (): Promise<void> => {
      this.#ended.signal.throwIfAborted();
      try {
        await untilAborted(Promise.resolve(raw.commit()), this.#ended.signal);
      } catch (error) {
        throw this.#explain(error);
      }
    };
    return toKafkaMessage(raw, this.#topic, commit);
  }

  #explain(error: unknown): unknown {
    return toKafkaFailure(error, describe(this.#topic));
  }

  /** The first reason counts. */
  #end(error?: unknown): Promise<void> {
    if (this.#ending === undefined) {
      this.#failure = error === undefined ? undefined : { error };
      this.#ending = this.#leave();
      this.#ended.abort(error ?? new Error('the consumer has left'));
    }
    return this.#ending;
  }

  async #leave(): Promise<void> {
    this.#listening[Symbol.dispose]();
    this.#stream?.destroy();
    // A broker answers in turn: it takes us in, when it was asked that before, and lets us go then.
    await this.#side[Symbol.asyncDispose]();
    this.#held[Symbol.dispose]();
    this.#scope.forget(this);
  }
}

function describe(topic: string): string {
  return `consuming ${JSON.stringify(topic)}`;
}

function beginConsumer(
  { connection }: KafkaScope,
  groupId: string,
  { sessionTimeoutMs = DEFAULT_SESSION_TIMEOUT_MS }: ConsumeOptions,
  held: Disposable,
): SideClient<Consumer> {
  const group = {
    groupId,
    retries: CONSUMER_RETRIES,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: Math.min(MAX_HEARTBEAT_INTERVAL_MS, sessionTimeoutMs / HEARTBEATS_PER_SESSION),
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
  };
  try {
    return connection.beginSideClient((settings) => new Consumer({ ...settings, ...group }));
  } catch (error) {
    held[Symbol.dispose]();
    throw error;
  }
}
