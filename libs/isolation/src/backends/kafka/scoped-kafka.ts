import type { KafkaPosition } from './kafka-connection.js';
import { KafkaConsumption, type ConsumeOptions } from './kafka-consumption.js';
import type { KafkaRecord } from './kafka-record.js';
import type { KafkaScope } from './kafka-scope.js';
import { runTransaction, type KafkaTransaction } from './kafka-transaction.js';

/**
 * A client of one namespace's topics, consumer groups and transactions, all of which callers call by their own names. It
 * serves one piece of work: when that ends, its consumers leave their groups and its transactions are aborted.
 */
export class ScopedKafka implements AsyncDisposable {
  readonly #scope: KafkaScope;

  constructor(scope: KafkaScope) {
    this.#scope = scope;
  }

  /**
   * Resolves when all in-sync replicas have the records, with the position of the first in each partition. After a
   * rejection they may be there or not.
   *
   * @throws {InvalidNameError} when no topic can be called so
   * @throws {InvalidRecordError} when a record is ill-formed, or they are too many or too large
   * @throws {KafkaRejectedError} when a broker rejects the request, such as `TOPIC_AUTHORIZATION_FAILED` or `UNKNOWN_TOPIC_OR_PARTITION`
   */
  produce(topic: string, records: readonly KafkaRecord[]): Promise<readonly KafkaPosition[]> {
    const { connection } = this.#scope;
    return this.#scope.produce(topic, records, (messages, operation) => connection.send(messages, operation));
  }

  /**
   * Messages of a topic. Resolves when the group has taken the consumer in; what is produced from then on will come.
   *
   * ```ts
   * await using messages = await kafka.consume('orders', { group: 'billing' });
   * for await (const message of messages) {
   *   await bill(message);
   *   await message.commit();
   * }
   * ```
   *
   * @throws {InvalidNameError} when no topic or no group can be called so
   * @throws {TooManyConsumersError} when the namespace has too many
   * @throws {KafkaRejectedError} when a broker rejects the request, such as `GROUP_AUTHORIZATION_FAILED`
   */
  async consume(topic: string, options: ConsumeOptions): Promise<KafkaConsumption> {
    return KafkaConsumption.open(this.#scope, topic, options);
  }

  /**
   * Does `work` in a transaction: all that it produces and commits, or nothing when it rejects. Of those who use one name
   * only the last can go on.
   *
   * @throws {InvalidNameError} when no transaction can be called so
   * @throws {TooManyConsumersError} when the namespace has too many
   * @throws {KafkaRejectedError} when a broker rejects the request
   */
  async transaction<T>(name: string, work: (transaction: KafkaTransaction) => Promise<T>): Promise<T> {
    return runTransaction(this.#scope, name, work);
  }

  /** From then on the client rejects everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scope[Symbol.asyncDispose]();
  }
}
