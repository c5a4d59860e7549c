import type { NamespaceId } from '@palisade/domain';
import type { Credentials } from '../../pools/connection-driver.js';
import type { NameTemplate } from '../name-template.js';
import type { BackendDriver, ScopeContext } from '../backend-driver.js';
import {
  clientSettings,
  DEFAULT_TIMINGS,
  type KafkaConnectOptions,
  type KafkaTimings,
  withCredentials,
} from './kafka-options.js';
import { KafkaConnection } from './kafka-connection.js';
import { isLoginRefusal } from './kafka.errors.js';
import { createTemplate, KafkaNames, type KafkaSeparation } from './kafka-names.js';
import { DEFAULT_RECORD_LIMITS, type RecordLimits } from './kafka-record.js';
import { ScopedKafka } from './scoped-kafka.js';

export interface KafkaDriverOptions {
  /** How to connect: the same for all namespaces, or by namespace. */
  readonly config: KafkaConnectOptions | ((namespace: NamespaceId) => KafkaConnectOptions);
  /** How namespaces are kept apart. Default: by the topic prefix `{tenant_id}.{topic}`. */
  readonly separation?: KafkaSeparation;
  readonly timings?: Partial<KafkaTimings>;
  readonly limits?: Partial<RecordLimits>;
  /** Consumers and transactions of one connection at once; each has sockets of its own. Default 10. */
  readonly maxConsumers?: number;
}

const DEFAULT_MAX_CONSUMERS = 10;

/** Kafka connections: a producer for each, and consumers beside it. */
export class KafkaDriver implements BackendDriver<KafkaConnection, ScopedKafka> {
  readonly isMultiplexed = true;
  readonly #options: KafkaDriverOptions;
  readonly #template: NameTemplate;
  readonly #timings: KafkaTimings;
  readonly #limits: RecordLimits;
  readonly #namespaceFailures = new WeakSet<object>();

  /** @throws {InvalidSettingsError} when the format of the prefix is none */
  constructor(options: KafkaDriverOptions) {
    this.#options = options;
    this.#template = createTemplate(options.separation);
    this.#timings = { ...DEFAULT_TIMINGS, ...options.timings };
    this.#limits = { ...DEFAULT_RECORD_LIMITS, ...options.limits };
  }

  async connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<KafkaConnection> {
    const { config, maxConsumers = DEFAULT_MAX_CONSUMERS } = this.#options;
    const isShared = typeof config !== 'function' && credentials === undefined;
    const own = typeof config === 'function' ? config(namespace) : config;
    const connect = credentials === undefined ? own : withCredentials(own, credentials);
    const settings = clientSettings(connect, namespace, this.#timings);
    try {
      return await KafkaConnection.open({ settings, timings: this.#timings, maxSideClients: maxConsumers }, signal);
    } catch (error) {
      if (!isShared && error instanceof Error && isLoginRefusal(error)) {
        this.#namespaceFailures.add(error);
      }
      throw error;
    }
  }

  isUsable(connection: KafkaConnection): boolean {
    return connection.isOpen;
  }

  /** Consumers leave their groups before, if that is soon done. */
  close(connection: KafkaConnection): Promise<void> {
    return connection.close();
  }

  onLost(connection: KafkaConnection, listener: () => void): () => void {
    return connection.onLost(listener);
  }

  isNamespaceFailure(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#namespaceFailures.has(error);
  }

  scope(connection: KafkaConnection, namespace: NamespaceId, context: ScopeContext): ScopedKafka {
    const names = new KafkaNames(this.#template, namespace);
    return new ScopedKafka({ connection, names, context, limits: this.#limits });
  }
}
