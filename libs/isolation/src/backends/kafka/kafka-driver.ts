import type { TenantNamespace } from '../../tenant-namespace.js';
import type { NameTemplate } from '../name-template.js';
import type { ScopeContext } from '../backend-driver.js';
import { type ConfigOf, LinkDriver } from '../configured-driver.js';
import {
  clientSettings,
  DEFAULT_TIMINGS,
  type KafkaConnectOptions,
  type KafkaTimings,
  withCredentials,
} from './kafka-options.js';
import { KafkaConnection } from './kafka-connection.js';
import { isRejectedLogin } from './kafka.errors.js';
import { createTemplate, KafkaNames, type KafkaSeparation } from './kafka-names.js';
import { DEFAULT_RECORD_LIMITS, type RecordLimits } from './kafka-record.js';
import { KafkaScope } from './kafka-scope.js';
import { ScopedKafka } from './scoped-kafka.js';

export interface KafkaDriverOptions {
  /** How to connect: the same for all, or by tenant and namespace. */
  readonly config: ConfigOf<KafkaConnectOptions>;
  /** How namespaces are kept apart. Default: by the topic prefix `{tenant_id}.{namespace}.{topic}`. */
  readonly separation?: KafkaSeparation;
  readonly timings?: Partial<KafkaTimings>;
  readonly limits?: Partial<RecordLimits>;
  /** Consumers and transactions of one connection at once; each has sockets of its own. Default 10. */
  readonly maxConsumers?: number;
}

const DEFAULT_MAX_CONSUMERS = 10;

/** Kafka connections: a producer for each, and consumers beside it. */
export class KafkaDriver extends LinkDriver<KafkaConnectOptions, KafkaConnection, ScopedKafka> {
  protected readonly withCredentials = withCredentials;
  protected readonly isRejectedLogin = isRejectedLogin;
  readonly isMultiplexed = true;
  readonly #template: NameTemplate;
  readonly #timings: KafkaTimings;
  readonly #limits: RecordLimits;
  readonly #maxConsumers: number;

  /** @throws {InvalidSettingsError} when the format of the prefix is invalid */
  constructor({ config, separation, timings, limits, maxConsumers = DEFAULT_MAX_CONSUMERS }: KafkaDriverOptions) {
    super(config);
    this.#template = createTemplate(separation);
    this.#timings = { ...DEFAULT_TIMINGS, ...timings };
    this.#limits = { ...DEFAULT_RECORD_LIMITS, ...limits };
    this.#maxConsumers = maxConsumers;
  }

  protected scopeFor(connection: KafkaConnection, owner: TenantNamespace, context: ScopeContext): ScopedKafka {
    const names = new KafkaNames(this.#template, owner);
    return new ScopedKafka(new KafkaScope(context, connection, names, this.#limits));
  }

  protected open(config: KafkaConnectOptions, owner: TenantNamespace, signal: AbortSignal): Promise<KafkaConnection> {
    const settings = clientSettings(config, `palisade.${owner.namespace}`, this.#timings);
    return KafkaConnection.open({ settings, timings: this.#timings, maxSideClients: this.#maxConsumers }, signal);
  }
}
