import type { Acl, BaseOptions, Connection } from '@platformatic/kafka';
import { Admin } from '../kafka-package.js';
import { ClientSockets, closeClient } from '../client-sockets.js';
import { toKafkaFailure } from '../kafka.errors.js';
import { EVERY_ACL } from './acls.js';
import type { KafkaTopicPlan } from './kafka-grants.js';

/** Somebody who may administer the cluster, for as long as one task takes. */
export class ClusterAdmin {
  readonly admin: Admin;
  readonly #sockets = new ClientSockets();

  private constructor(settings: BaseOptions) {
    this.admin = new Admin(settings);
    this.#sockets.watch(this.admin.connections);
  }

  static async use<T>(
    settings: BaseOptions,
    closeTimeoutMs: number,
    work: (cluster: ClusterAdmin) => Promise<T>,
  ): Promise<T> {
    const cluster = new ClusterAdmin(settings);
    try {
      return await work(cluster);
    } catch (error) {
      throw toKafkaFailure(error, 'administering the cluster');
    } finally {
      await closeClient(() => cluster.admin.close(), cluster.#sockets, closeTimeoutMs);
    }
  }

  /** To the broker who decides, or passes on to whoever does. */
  async connect(): Promise<Connection> {
    const { controllerId } = await this.admin.metadata({ topics: [] });
    const connections = await this.admin.connectToBrokers([controllerId]);
    const [connection] = connections.values();
    if (connection === undefined) {
      throw new Error(`the cluster says that its controller is ${controllerId}, which is not among its brokers`);
    }
    return connection;
  }

  async acls(): Promise<Acl[]> {
    const resources = await this.admin.describeAcls({ filter: EVERY_ACL });
    return resources.flatMap(({ acls, ...target }) => acls.map((permission) => ({ ...target, ...permission })));
  }

  async topicNames(): Promise<ReadonlySet<string>> {
    return new Set(await this.admin.listTopics());
  }

  async createTopic(fullName: string, { partitions, replicas, config = {} }: KafkaTopicPlan): Promise<void> {
    const configs = Object.entries(config).map(([name, value]) => ({ name, value }));
    await this.admin.createTopics({ topics: [{ topic: fullName, partitions, replicas }], configs });
  }
}
