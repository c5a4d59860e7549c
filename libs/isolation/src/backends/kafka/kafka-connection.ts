import { SYSTEM_CLOCK, untilAborted, within } from '@palisade/async';
import type { BaseOptions, MessageToProduce } from '@platformatic/kafka';
import { ProduceAcks, Producer } from './kafka-package.js';
import { BackendLink } from '../backend-link.js';
import { BackendTimeoutError, ConnectionLostError } from '../backend.errors.js';
import { ClientSockets, closeClient, type KafkaClient } from './client-sockets.js';
import type { KafkaTimings } from './kafka-options.js';
import { isRejectedLogin, toKafkaFailure, TooManyConsumersError } from './kafka.errors.js';
import { SideClient } from './side-client.js';

export interface KafkaConnectionOptions {
  readonly settings: BaseOptions;
  readonly timings: KafkaTimings;
  /** Consumers and transactions at once. */
  readonly maxSideClients: number;
}

/** Where messages were stored. */
export interface KafkaPosition {
  readonly partition: number;
  /** The offset of the first of them. */
  readonly offset: bigint;
}

const NAME = 'kafka';

/** A broker may not know yet of a topic that was just made. */
const TOPIC_RETRIES = 2;

/**
 * A namespace's connection to a cluster: a producer that all its work shares, and what consumes beside it. It has a socket
 * to each broker that it needs.
 *
 * It is lost when the last of the producer's sockets has closed by itself, or producing has taken too long: then it is not
 * leased again. What is under way continues over new sockets, and fails by itself when that does not succeed soon.
 */
export class KafkaConnection extends BackendLink {
  readonly #options: KafkaConnectionOptions;
  readonly #producer: Producer;
  readonly #sockets: ClientSockets;
  readonly #sideClients = new Set<SideClient<KafkaClient>>();
  readonly #closing = new AbortController();

  private constructor(options: KafkaConnectionOptions, onError: (error: Error) => void) {
    super(NAME);
    this.#options = options;
    this.#sockets = new ClientSockets({ onError, onLost: () => this.lose(new Error('its last socket has closed')) });
    // Retries do not write anything twice.
    this.#producer = new Producer({ ...options.settings, idempotent: true, acks: ProduceAcks.ALL });
    this.#sockets.watch(this.#producer.connections);
  }

  /** Rejects when no broker can be reached, or the cluster rejects the login; no socket is left then. */
  static async open(options: KafkaConnectionOptions, signal: AbortSignal): Promise<KafkaConnection> {
    const rejected = Promise.withResolvers<never>();
    const connection = new KafkaConnection(options, (error) => {
      // The client would try again, as if this were an interruption.
      if (isRejectedLogin(error)) {
        rejected.reject(error);
      }
    });
    rejected.promise.catch(() => {}); // what comes later fails by itself
    try {
      // The answer of a broker says that we are let in.
      const answered = connection.#producer.metadata({ topics: [], retries: 0 });
      await untilAborted(Promise.race([answered, rejected.promise]), signal);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Sockets of everything. */
  get socketCount(): number {
    let count = this.#sockets.count;
    for (const { sockets } of this.#sideClients) {
      count += sockets.count;
    }
    return count;
  }

  /** Resolves when all in-sync replicas have the messages, all of one topic. After a rejection they may be there or not. */
  async send(messages: MessageToProduce[], operation: string): Promise<KafkaPosition[]> {
    const limitMs = this.#options.timings.deliveryTimeoutMs;
    const giveUp = () => {
      const late = new BackendTimeoutError(NAME, operation, limitMs);
      this.end(late);
      return late;
    };
    try {
      const sent = untilAborted(this.#producer.send({ acks: ProduceAcks.ALL, messages }), this.#closing.signal);
      const { offsets = [] } = await within(limitMs, SYSTEM_CLOCK, sent, giveUp);
      return offsets.map(({ partition, offset }) => ({ partition, offset }));
    } catch (error) {
      throw toKafkaFailure(error, operation);
    }
  }

  /** @throws {KafkaRejectedError} when there is no such topic, or we may not know of it */
  async requireTopic(name: string, operation: string): Promise<void> {
    try {
      await untilAborted(this.#producer.metadata({ topics: [name], retries: TOPIC_RETRIES }), this.#closing.signal);
    } catch (error) {
      throw toKafkaFailure(error, operation);
    }
  }

  /**
   * A client beside the producer. It is the caller's to dispose of.
   *
   * @throws {TooManyConsumersError} when there are enough of them
   */
  beginSideClient<C extends KafkaClient>(create: (settings: BaseOptions) => C): SideClient<C> {
    const { settings, timings, maxSideClients } = this.#options;
    const { signal } = this.#closing;
    signal.throwIfAborted();
    if (this.#sideClients.size >= maxSideClients) {
      throw new TooManyConsumersError(maxSideClients);
    }
    const sideClient = new SideClient<C>({
      client: create(settings),
      signal,
      timings,
      onClosed: () => this.#sideClients.delete(sideClient),
    });
    this.#sideClients.add(sideClient);
    return sideClient;
  }

  /** How many brokers are known. */
  get brokerCount(): number {
    return this.#producer.currentMetadata?.brokers.size ?? 1;
  }

  /** Ends everything that is under way; resolves when all sockets are closed. Never rejects. */
  protected async destroy(): Promise<void> {
    this.#closing.abort(new ConnectionLostError(NAME, { cause: new Error('it was closed') }));
    const { closeTimeoutMs } = this.#options.timings;
    await Promise.all([...this.#sideClients].map((sideClient) => sideClient[Symbol.asyncDispose]()));
    await closeClient(() => this.#producer.close(true), this.#sockets, closeTimeoutMs);
  }
}
