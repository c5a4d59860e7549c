import type { BaseOptions, CallbackWithPromise } from '@platformatic/kafka';
import { kListApis, Producer } from './kafka-package.js';
import { untilAborted } from '@palisade/async';
import type { KafkaPosition } from './kafka-connection.js';
import { rawOf, type KafkaMessage } from './kafka-message.js';
import { toKafkaFailure } from './kafka.errors.js';
import type { KafkaRecord } from './kafka-record.js';
import type { KafkaScope } from './kafka-scope.js';

/** After that the cluster gives a transaction up whose owner has disappeared. */
const TRANSACTION_TIMEOUT_MS = 60_000;

type RawTransaction = Awaited<ReturnType<Producer['beginTransaction']>>;
type Apis = Awaited<ReturnType<Producer['listApis']>>;

/** What is done all together or not at all. */
export class KafkaTransaction {
  readonly #scope: KafkaScope;
  readonly #raw: RawTransaction;
  readonly #signal: AbortSignal;
  #last: Promise<unknown> = Promise.resolve();

  constructor(scope: KafkaScope, raw: RawTransaction, signal: AbortSignal) {
    this.#scope = scope;
    this.#raw = raw;
    this.#signal = signal;
  }

  /** Records are there for those who read only what is committed when the transaction is. */
  produce(topic: string, records: readonly KafkaRecord[]): Promise<readonly KafkaPosition[]> {
    return this.#scope.produce(topic, records, (messages, operation) =>
      this.#inTurn(operation, async () => {
        const { offsets = [] } = await this.#raw.send({ messages });
        return offsets.map(({ partition, offset }) => ({ partition, offset }));
      }),
    );
  }

  /** Commits a message, as its own `commit` does, together with the transaction. */
  commit(message: KafkaMessage): Promise<void> {
    const raw = rawOf(message);
    return this.#inTurn('committing in a transaction', async () => {
      const { groupId } = raw.metadata['consumer'] as { readonly groupId: string };
      // Only the group of the consumer is read.
      await this.#raw.addConsumer({ groupId } as Parameters<RawTransaction['addConsumer']>[0]);
      await this.#raw.addOffset(raw);
    });
  }

  /** The client takes calls that overlap for one, so that all but the first would be lost. */
  #inTurn<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      try {
        return await untilAborted(work(), this.#signal);
      } catch (error) {
        throw toKafkaFailure(error, operation);
      }
    });
    this.#last = turn.catch(() => {}); // whoever called is told
    return turn;
  }

  /** Resolves when what was called has come to its end. */
  async settled(): Promise<void> {
    await this.#last;
  }
}

/** Versions from 4 on of this request are for brokers among themselves, who alone may send it. */
class TransactionalProducer extends Producer {
  override [kListApis](callback: CallbackWithPromise<Apis>): void {
    super[kListApis]((error, apis) => {
      callback(
        error,
        apis?.map((api) => (api.name === 'AddPartitionsToTxn' ? { ...api, maxVersion: 3 } : api)),
      );
    });
  }
}

function createProducer(settings: BaseOptions, transactionalId: string): TransactionalProducer {
  return new TransactionalProducer({
    ...settings,
    idempotent: true,
    transactionalId,
    timeout: TRANSACTION_TIMEOUT_MS,
    // None yet: the cluster gives us one, and shuts out whoever had the transaction before.
    producerId: -1n,
    producerEpoch: -1,
  });
}

/**
 * Does `work` in a transaction, which is committed when that resolves and aborted when it rejects. Whoever begins a
 * transaction of the same name shuts out its former owner.
 *
 * @throws {KafkaRejectedError} among others, with the reason `INVALID_PRODUCER_EPOCH` when we were shut out
 */
export async function runTransaction<T>(
  scope: KafkaScope,
  name: string,
  work: (transaction: KafkaTransaction) => Promise<T>,
): Promise<T> {
  scope.requireUnderWay();
  const transactionalId = scope.names.transaction(name);
  const side = scope.connection.beginSideClient((settings) => createProducer(settings, transactionalId));
  scope.begin(side);
  const signal = AbortSignal.any([scope.context.signal, side.signal]);
  const operation = `the transaction ${JSON.stringify(name)}`;
  try {
    const raw = await untilAborted(side.client.beginTransaction({}), signal);
    const transaction = new KafkaTransaction(scope, raw, signal);
    return await finish(raw, transaction, signal, work);
  } catch (error) {
    throw toKafkaFailure(error, operation);
  } finally {
    await side[Symbol.asyncDispose]();
    scope.forget(side);
  }
}

async function finish<T>(
  raw: RawTransaction,
  transaction: KafkaTransaction,
  signal: AbortSignal,
  work: (transaction: KafkaTransaction) => Promise<T>,
): Promise<T> {
  try {
    const result = await untilAborted(work(transaction), signal);
    await transaction.settled();
    await untilAborted(raw.commit(), signal);
    return result;
  } catch (error) {
    if (!raw.completed && !signal.aborted) {
      await raw.abort().catch(() => {}); // the cluster does it when the time is over
    }
    throw error;
  }
}
