import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterAccess } from '../../../src/kubernetes/api/cluster-access.js';
import { KubernetesApi } from '../../../src/kubernetes/api/kubernetes-api.js';
import { ApiLink } from './api-link.js';
import { FakeApiServer } from './fake-api-server.js';
import { readManifests } from './manifests.js';
import type { Json } from './merge-patch.js';

/**
 * Suites run against a fake API server, unless this names a kubeconfig: then against the cluster of its current context,
 * whose user must be an administrator. Everything happens in namespaces of their own, of which the objects are removed;
 * the custom resource definition is installed and stays.
 */
const KUBECONFIG_VARIABLE = 'PALISADE_TEST_KUBECONFIG';
const SERVICE_ACCOUNT = 'palisade-control-plane';

const TENANTS = 'prismtenants';
const TENANTS_API = '/apis/prism.io/v1alpha1';
const PLURALS = [`${TENANTS_API}/${TENANTS}`, '/api/v1/pods', '/apis/coordination.k8s.io/v1/leases'];

export interface PodSample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number; readonly protocol?: string }[];
  readonly ip?: string;
  readonly isReady?: boolean;
}

export interface TenantResource extends Json {
  readonly metadata: { readonly name: string; readonly generation: number; readonly resourceVersion: string };
  readonly status?: {
    readonly observedGeneration: number;
    readonly pools: readonly string[];
    readonly conditions: readonly Json[];
  };
}

/** Whether the suites run against a cluster. */
export function isRealCluster(): boolean {
  return realKubeconfig() !== undefined;
}

/**
 * A namespace of an API server, as its administrator sees it, and a {@link ApiLink} to it, on which one has the rights that
 * the control plane has.
 */
export class TestCluster implements AsyncDisposable {
  readonly namespace = `palisade-${randomUUID().slice(0, 8)}`;
  private constructor(
    private readonly access: ClusterAccess,
    readonly link: ApiLink,
    private readonly directory: string,
    private readonly fake: FakeApiServer | undefined,
  ) {}

  static async start(): Promise<TestCluster> {
    const directory = mkdtempSync(join(tmpdir(), 'palisade-kubernetes-'));
    const real = realKubeconfig();
    const fake = real === undefined ? await FakeApiServer.start() : undefined;
    const file = real ?? writeKubeconfig(directory, 'upstream', `http://127.0.0.1:${fake?.port}`);
    const headers: Record<string, string> = {};
    const link = new ApiLink(new ClusterAccess(file), headers);
    await link.up();
    const cluster = new TestCluster(new ClusterAccess(file), link, directory, fake);
    headers['Impersonate-User'] = `system:serviceaccount:${cluster.namespace}:${SERVICE_ACCOUNT}`;
    if (fake === undefined) {
      await cluster.prepare();
    }
    return cluster;
  }

  /** A kubeconfig of the link. */
  get kubeconfigFile(): string {
    return writeKubeconfig(this.directory, 'link', this.link.url);
  }

  /** The API server through the link. */
  connect(timeoutMs?: number): KubernetesApi {
    return new KubernetesApi(new ClusterAccess(this.kubeconfigFile), timeoutMs);
  }

  /** The API server as its administrator reaches it. */
  connectAsAdministrator(): KubernetesApi {
    return new KubernetesApi(this.access);
  }

  createTenant(name: string, spec: Json): Promise<Json> {
    const body = { apiVersion: 'prism.io/v1alpha1', kind: 'PrismTenant', metadata: { name }, spec };
    return this.administer('POST', this.pathOf(TENANTS_API, TENANTS), body);
  }

  changeTenant(name: string, patch: Json): Promise<Json> {
    return this.administer('PATCH', this.pathOf(TENANTS_API, TENANTS, name), patch);
  }

  changeTenantStatus(name: string, status: Json): Promise<Json> {
    return this.administer('PATCH', this.pathOf(TENANTS_API, TENANTS, name, 'status'), { status });
  }

  deleteTenant(name: string): Promise<Json> {
    return this.administer('DELETE', this.pathOf(TENANTS_API, TENANTS, name));
  }

  async getTenant(name: string): Promise<TenantResource> {
    return (await this.administer('GET', this.pathOf(TENANTS_API, TENANTS, name))) as TenantResource;
  }

  /** A pod that runs, on a node that does not exist. */
  async createPod(name: string, { labels, annotations, ports, ...state }: PodSample = {}): Promise<void> {
    const container = { name: 'proxy', image: 'proxy', ports: ports ?? [{ name: 'proxy', containerPort: 8080 }] };
    await this.administer('POST', this.pathOf('/api/v1', 'pods'), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { app: 'proxy', 'prism.io/pool': 'standard', ...labels }, annotations },
      spec: { nodeName: 'palisade-no-node', automountServiceAccountToken: false, containers: [container] },
    });
    await this.setPodState(name, { ip: '10.0.0.1', isReady: true, ...state });
  }

  async setPodState(name: string, { ip, isReady }: Pick<PodSample, 'ip' | 'isReady'>): Promise<void> {
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
    const status = { phase: 'Running', conditions, ...(ip !== undefined && { podIP: ip, podIPs: [{ ip }] }) };
    await this.administer('PATCH', this.pathOf('/api/v1', 'pods', name, 'status'), { status });
  }

  changePod(name: string, patch: Json): Promise<Json> {
    return this.administer('PATCH', this.pathOf('/api/v1', 'pods', name), patch);
  }

  /** The pod terminates, as its node does not say that it has ended. */
  terminatePod(name: string): Promise<Json> {
    return this.administer('DELETE', this.pathOf('/api/v1', 'pods', name));
  }

  /** The pod is gone. */
  deletePod(name: string): Promise<Json> {
    return this.administer('DELETE', `${this.pathOf('/api/v1', 'pods', name)}?gracePeriodSeconds=0`);
  }

  getLease(name: string): Promise<Json> {
    return this.administer('GET', this.pathOf('/apis/coordination.k8s.io/v1', 'leases', name));
  }

  changeLease(name: string, patch: Json): Promise<Json> {
    return this.administer('PATCH', this.pathOf('/apis/coordination.k8s.io/v1', 'leases', name), patch);
  }

  /** The rows that kubectl prints, with all columns. Only of a real cluster. */
  async getTable(group: string, plural: string): Promise<Json[]> {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const table = (await this.administer('GET', this.pathOf(group, plural), undefined, accept)) as {
      readonly columnDefinitions: readonly { readonly name: string }[];
      readonly rows: readonly { readonly cells: readonly unknown[] }[];
    };
    const names = table.columnDefinitions.map(({ name }) => name);
    return table.rows.map(({ cells }) => Object.fromEntries(names.map((name, index) => [name, cells[index]])));
  }

  /** Removes every object. */
  async empty(): Promise<void> {
    for (const plural of PLURALS) {
      const at = plural.lastIndexOf('/');
      const path = this.pathOf(plural.slice(0, at), plural.slice(at + 1));
      const { items } = (await this.administer('GET', path)) as { readonly items: readonly TenantResource[] };
      for (const { metadata } of items) {
        await this.administer('DELETE', `${path}/${metadata.name}?gracePeriodSeconds=0`);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.link[Symbol.asyncDispose]();
    if (this.fake === undefined) {
      await this.empty();
      await this.administer('DELETE', `/api/v1/namespaces/${this.namespace}`);
    }
    this.access.close();
    await this.fake?.[Symbol.asyncDispose]();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /**
   * As the administrator, not through the link.
   *
   * @throws {Error} with the answer, unless it is a success
   */
  async administer(method: string, path: string, body?: Json, accept = 'application/json'): Promise<Json> {
    const { server, options } = await this.access.connection();
    const url = new URL(server + path);
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { ...(options.headers as Record<string, string>), 'Content-Type': contentType, Accept: accept };
    const { request: open } = url.protocol === 'http:' ? http : https;
    const request = open(url, { ...options, method, headers });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const answerText = await text(answer);
    if ((answer.statusCode ?? 0) >= 300) {
      throw new Error(`${method} ${path}: ${answer.statusCode} ${answerText}`);
    }
    return JSON.parse(answerText) as Json;
  }

  pathOf(group: string, ...parts: readonly string[]): string {
    return [group, 'namespaces', this.namespace, ...parts].join('/');
  }

  /** Installs what the control plane needs, and the account that it has in a cluster, with its rights and no others. */
  private async prepare(): Promise<void> {
    const [definition = {}] = readManifests('crd/prismtenants.prism.io.yaml');
    await this.installDefinition(definition);
    await this.administer('POST', '/api/v1/namespaces', { metadata: { name: this.namespace } });
    for (const manifest of readManifests('rbac.yaml')) {
      await this.install(manifest);
    }
    await this.untilTenantsAreServed();
  }

  private async installDefinition(definition: Json): Promise<void> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    try {
      await this.administer('POST', path, definition);
    } catch (error) {
      if (!String(error).includes('AlreadyExists')) {
        throw error;
      }
      await this.administer('PATCH', `${path}/prismtenants.prism.io`, { spec: definition['spec'] });
    }
  }

  private install(manifest: Json): Promise<Json> {
    const { kind, apiVersion } = manifest as { readonly kind: string; readonly apiVersion: string };
    const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
    const body = JSON.stringify(manifest).replaceAll('"namespace":"palisade"', `"namespace":"${this.namespace}"`);
    return this.administer('POST', this.pathOf(group, `${kind.toLowerCase()}s`), JSON.parse(body) as Json);
  }

  /** A definition is served a moment after it was installed. */
  private async untilTenantsAreServed(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.administer('GET', this.pathOf(TENANTS_API, TENANTS));
        return;
      } catch (error) {
        if (attempt === 100) {
          throw error;
        }
        // Nothing tells when.
        await sleep(100);
      }
    }
  }
}

function realKubeconfig(): string | undefined {
  return process.env[KUBECONFIG_VARIABLE] || undefined;
}

/** The client library demands this flag for servers without TLS. */
function writeKubeconfig(directory: string, name: string, server: string): string {
  const file = join(directory, `${name}.kubeconfig`);
  const cluster = { server, 'insecure-skip-tls-verify': true };
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: {} }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
  writeFileSync(file, JSON.stringify(content));
  return file;
}
