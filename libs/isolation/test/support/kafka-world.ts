import { randomBytes } from 'node:crypto';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { Admin } from '@platformatic/kafka';
import { requireKafka } from '../../../../test/support/test-services.js';
import type { KafkaConnection } from '../../src/backends/kafka/kafka-connection.js';
import { KafkaDriver, type KafkaDriverOptions } from '../../src/backends/kafka/kafka-driver.js';
import {
  KafkaProvisioner,
  type KafkaProvisionerOptions,
} from '../../src/backends/kafka/provisioning/kafka-provisioner.js';
import type { ScopedKafka } from '../../src/backends/kafka/scoped-kafka.js';
import { WorkContext } from './work-context.js';

/** Namespaces of a suite's own on the broker that all share, looked at from outside by somebody who may do everything. */
export class KafkaWorld implements AsyncDisposable {
  readonly acme: NamespaceId;
  /** Begins like the other. */
  readonly acme2: NamespaceId;
  readonly admin: Admin;
  readonly #start = `acme-${randomBytes(4).toString('hex')}`;

  private constructor(readonly brokers: readonly string[]) {
    this.acme = parseNamespaceId(this.#start);
    this.acme2 = parseNamespaceId(`${this.#start}2`);
    this.admin = new Admin({ clientId: 'tests', bootstrapBrokers: [...brokers] });
  }

  static async start(brokers: readonly string[] = requireKafka().brokers): Promise<KafkaWorld> {
    const world = new KafkaWorld(brokers);
    await world.admin.connectToBrokers();
    return world;
  }

  driver(options: Partial<KafkaDriverOptions> = {}): KafkaDriver {
    return new KafkaDriver({ config: { brokers: this.brokers }, ...options });
  }

  provisioner(options: Partial<KafkaProvisionerOptions> = {}): KafkaProvisioner {
    return new KafkaProvisioner({ config: { brokers: this.brokers }, ...options });
  }

  /** By their names on the cluster. */
  async createTopics(...topics: string[]): Promise<void> {
    await this.admin.createTopics({ topics, partitions: 2, replicas: 1 });
  }

  /** Of a group, by its name on the cluster; 0 when there is no such group. */
  async countMembers(group: string): Promise<number> {
    const groups = await this.admin.describeGroups({ groups: [group] });
    return groups.get(group)?.members.size ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const topics = (await this.admin.listTopics()).filter((name) => name.startsWith(this.#start));
    if (topics.length > 0) {
      await this.admin.deleteTopics({ topics });
    }
    await this.admin.close();
  }
}

/** A connection of its own with a client of a namespace on it. */
export class KafkaWork implements AsyncDisposable {
  private constructor(
    readonly driver: KafkaDriver,
    readonly namespace: NamespaceId,
    readonly connection: KafkaConnection,
    readonly context: WorkContext,
    readonly kafka: ScopedKafka,
  ) {}

  static async begin(driver: KafkaDriver, namespace: NamespaceId): Promise<KafkaWork> {
    const connection = await driver.connect(namespace, new AbortController().signal);
    const context = new WorkContext();
    return new KafkaWork(driver, namespace, connection, context, driver.scope(connection, namespace, context));
  }

  /** Another piece of work on the same connection. */
  next(context = new WorkContext()): ScopedKafka {
    return this.driver.scope(this.connection, this.namespace, context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kafka[Symbol.asyncDispose]();
    await this.driver.close(this.connection);
  }
}
