import type { ScopeContext } from '../backend-driver.js';
import { within } from './client-sockets.js';
import type { KafkaConnection, KafkaPosition } from './kafka-connection.js';
import type { KafkaNames } from './kafka-names.js';
import { encodeRecords, type KafkaRecord, type RecordLimits } from './kafka-record.js';
import { untilAborted } from '@palisade/async';

export interface KafkaScopeOptions {
  readonly connection: KafkaConnection;
  readonly names: KafkaNames;
  readonly context: ScopeContext;
  readonly limits: RecordLimits;
}

/** Leaving a group can take longer than whoever ends the work should wait; the connection sees to it then. */
const DISPOSE_TIMEOUT_MS = 1_000;

/** One piece of work on a connection: what it has begun, and whether it may go on. */
export class KafkaScope implements AsyncDisposable {
  readonly connection: KafkaConnection;
  readonly names: KafkaNames;
  readonly context: ScopeContext;
  readonly limits: RecordLimits;
  readonly #begun = new Set<AsyncDisposable>();
  readonly #sending = new Set<Promise<unknown>>();
  #isEnded = false;

  constructor({ connection, names, context, limits }: KafkaScopeOptions) {
    this.connection = connection;
    this.names = names;
    this.context = context;
    this.limits = limits;
  }

  /** Sends records with `send`, and accounts for them until that has come to an end, whether anybody waits for it or not. */
  async produce(
    topic: string,
    records: readonly KafkaRecord[],
    send: KafkaConnection['send'],
  ): Promise<readonly KafkaPosition[]> {
    this.requireUnderWay();
    const { messages, bytes } = encodeRecords(this.names.topic(topic), records, this.limits);
    if (messages.length === 0) {
      return [];
    }
    const held = this.context.hold(bytes);
    const sending = this.#track(send(messages, `producing to ${JSON.stringify(topic)}`), held);
    const positions = await untilAborted(sending, this.context.signal);
    this.context.countRows(messages.length);
    return positions;
  }

  /** Has something end with the work, at the latest. */
  begin(part: AsyncDisposable): void {
    this.#begun.add(part);
  }

  /** For parts that have ended before. */
  forget(part: AsyncDisposable): void {
    this.#begun.delete(part);
  }

  /** @throws {Error} when the work has ended; the reason of its signal when that has aborted */
  requireUnderWay(): void {
    this.context.signal.throwIfAborted();
    if (this.#isEnded) {
      throw new Error('the work has ended, and its Kafka client with it');
    }
  }

  /** Ends what was begun, and waits for what nobody waits for any more, unless the work was aborted. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    const ending = Promise.allSettled([...this.#begun].map((part) => part[Symbol.asyncDispose]()));
    await within(DISPOSE_TIMEOUT_MS, ending);
    if (!this.context.signal.aborted) {
      await Promise.allSettled(this.#sending);
    }
  }

  #track<T>(sending: Promise<T>, held: Disposable): Promise<T> {
    const tracked = sending.finally(() => {
      this.#sending.delete(tracked);
      held[Symbol.dispose]();
    });
    this.#sending.add(tracked);
    return tracked;
  }
}
