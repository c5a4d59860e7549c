import type { ScopeContext } from '../backend-driver.js';
import { PieceOfWork } from '../piece-of-work.js';
import { settleWithin } from './client-sockets.js';
import type { KafkaConnection, KafkaPosition } from './kafka-connection.js';
import type { KafkaNames } from './kafka-names.js';
import { encodeRecords, type KafkaRecord, type RecordLimits } from './kafka-record.js';

/** Leaving a group can take longer than whoever ends the work should wait; the connection finishes it then. */
const DISPOSE_TIMEOUT_MS = 1_000;

/** One piece of work on a connection. */
export class KafkaScope extends PieceOfWork {
  readonly #sending = new Set<Promise<unknown>>();

  constructor(
    context: ScopeContext,
    readonly connection: KafkaConnection,
    readonly names: KafkaNames,
    readonly limits: RecordLimits,
  ) {
    super(context);
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
    const positions = await this.unlessAborted(sending);
    this.context.countRows(messages.length);
    return positions;
  }

  /** Also waits for records that nobody waits for any more, unless the work was aborted. */
  override async [Symbol.asyncDispose](): Promise<void> {
    await settleWithin(DISPOSE_TIMEOUT_MS, super[Symbol.asyncDispose]());
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
