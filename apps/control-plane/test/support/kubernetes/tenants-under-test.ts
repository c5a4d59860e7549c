import { parseNamespacePattern, parseTenantId, type JsonObject, type Tenant } from '@palisade/domain';
import { StorePreparation } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { KubernetesReport } from '../../../src/kubernetes/api/kubernetes-report.js';
import { PrismTenantsDuty } from '../../../src/kubernetes/tenants/prism-tenants.duty.js';
import { Registry } from '../../../src/routing/table/registry.js';
import { RoutingTable } from '../../../src/routing/table/routing-table.js';
import { STANDARD, routingSettings, type RoutingOverrides } from '../routing-settings.js';
import { until } from '../../../../../test/support/until.js';
import { DutyRun } from './duty-run.js';
import { TestCluster } from './test-cluster.js';

export const CHANGE = { actor: 'ann@example.com', at: new Date(0) };
const TIMING = { retryMinMs: 20, retryMaxMs: 200, confirmPauseMs: 50 };

/** A {@link PrismTenantsDuty} between an API server and a store that is new for each test. */
export class TenantsUnderTest implements AsyncDisposable {
  store = new MemoryStore();
  private running = new AsyncDisposableStack();

  private constructor(readonly cluster: TestCluster) {}

  static async create(): Promise<TenantsUnderTest> {
    return new TenantsUnderTest(await TestCluster.start());
  }

  /** Begins a term of the leader. */
  async start(overrides: RoutingOverrides = {}): Promise<void> {
    const compliance = { frameworks: [], piiEncryption: false, auditRetentionDays: 365 };
    const settings = { ...routingSettings(overrides), compliance };
    const preparation = new StorePreparation(this.store);
    await preparation.onApplicationBootstrap();
    const registry = new Registry(this.store, preparation, new RoutingTable(settings));
    registry.onApplicationBootstrap();
    this.running.defer(() => registry.onModuleDestroy());
    const api = this.cluster.connect();
    this.running.defer(() => api.close());
    const report = new KubernetesReport(this.store.operations);
    const options = { settings, namespace: this.cluster.namespace, watch: { timing: TIMING } };
    const duty = new PrismTenantsDuty(this.store, registry, api, report, options);
    this.running.use(await DutyRun.start(duty, this.store));
  }

  /** Ends the term. */
  async stop(): Promise<void> {
    await this.running.disposeAsync();
    this.running = new AsyncDisposableStack();
  }

  /** As everything was before a test. */
  async reset(): Promise<void> {
    await this.stop();
    this.cluster.link.clear();
    await this.cluster.empty();
    this.store = new MemoryStore();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }

  find(id: string): Promise<Tenant | undefined> {
    return this.store.tenants.find(parseTenantId(id));
  }

  /** As the API does. */
  async register(id: string, ...patterns: string[]): Promise<void> {
    const draft = { namespacePatterns: patterns.map(parseNamespacePattern), pool: STANDARD };
    await this.store.tenants.register(parseTenantId(id), 'api', draft, CHANGE);
  }

  async untilRegistered(id: string): Promise<void> {
    await until(async () => (await this.find(id)) !== undefined);
  }

  async untilGone(id: string): Promise<void> {
    await until(async () => (await this.find(id)) === undefined);
  }

  async condition(name: string, type: 'Accepted' | 'Routed'): Promise<JsonObject> {
    const { status } = await this.cluster.getTenant(name);
    return (status?.conditions.find((each) => each['type'] === type) ?? {}) as JsonObject;
  }

  /** Waits until whether the present generation is accepted has this reason. */
  async untilReason(name: string, reason: string): Promise<JsonObject> {
    await until(async () => {
      const found = await this.condition(name, 'Accepted');
      const { generation } = (await this.cluster.getTenant(name)).metadata;
      return found['reason'] === reason && found['observedGeneration'] === generation;
    });
    return this.condition(name, 'Accepted');
  }

  /** What the leader says of itself. */
  async reported(): Promise<JsonObject> {
    const [status] = await this.store.operations.statuses();
    return (status?.detail['tenants'] ?? {}) as JsonObject;
  }

  async untilReported(name: string, value: unknown): Promise<void> {
    await until(async () => (await this.reported())[name] === value);
  }
}
