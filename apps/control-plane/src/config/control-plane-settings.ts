import {
  BACKEND_KINDS,
  type BackendKind,
  type ConnectionPools,
  type IsolationLevel,
  type JsonObject,
  type PoolName,
} from '@palisade/domain';
import { z } from 'zod';
import { findFramework } from './frameworks.js';
import { isolationSettingsFor, measuresCpu } from './isolation-settings.js';
import { resolveDefaultPool, resolvePools, type Resources } from './resolve-pools.js';
import { NAMED_BACKENDS, SHARED_ISOLATION } from './schema/backends.js';
import { CONTROL_PLANE_FILE, type ControlPlaneFile } from './schema/control-plane-file.js';
import type { NamespaceRoute } from './schema/routing.js';

export type { NamespaceRoute, RevenueCondition } from './schema/routing.js';

type Section<K extends keyof ControlPlaneFile> = NonNullable<ControlPlaneFile[K]>;
type Backend<K extends BackendKind> = NonNullable<Section<'backends'>[K]>;

export type HealthSettings = Section<'healthChecks'>;
export type DiscoverySettings = Section<'serviceDiscovery'>;
export type StaticProxy = Extract<DiscoverySettings, { readonly type: 'static' }>['proxies'][number];
export type DnsSettings = Section<'dns'>;
export type KubernetesSettings = Section<'kubernetes'>;
export type LoadBalancerSettings = Section<'loadBalancer'> & { readonly binary: string };
export type RoutingRule = Section<'tenantRouting'>['rules'][number];

/** How one kind of backend is administered. */
export type ProvisioningOf<K extends BackendKind> = { readonly kind: K } & NonNullable<Backend<K>['provisioning']>;
export type BackendProvisioningSettings = { [K in BackendKind]: ProvisioningOf<K> }[BackendKind];

export type BackendIsolation =
  | { readonly type: 'physical' }
  /** With `{tenant_id}` and `{key}`, `{subject}` or `{topic}`. */
  | { readonly type: 'keyspace_prefix' | 'subject_hierarchy' | 'topic_prefix'; readonly format: string }
  | { readonly type: 'row_level_security'; readonly tenantColumn: string };

export interface BackendSettings extends Omit<Backend<BackendKind>, 'isolation' | 'provisioning'> {
  readonly isolation: BackendIsolation;
  /** How the control plane administers the backend for tenants; absent: it does not. */
  readonly provisioning?: BackendProvisioningSettings;
}

export interface PoolDefinition {
  readonly name: PoolName;
  readonly replicas: number;
  readonly resources: Resources;
  /** Of tenants that have no other. */
  readonly isolationLevel: IsolationLevel;
  /** Those that tenants may have; absent: all. */
  readonly isolationLevels?: readonly IsolationLevel[];
  /** What a proxy of the pool gives `parseIsolationSettings`; absent when the file says nothing of isolation. */
  readonly isolationSettings?: JsonObject;
}

export interface RoutingSettings {
  /** In the order of the file, then of the file of routes. */
  readonly namespaceRoutes: readonly NamespaceRoute[];
  /** In the order of the file. */
  readonly rules: readonly RoutingRule[];
  readonly defaultPool?: PoolName;
  /** How long the pool that a tenant leaves may be busy for it. */
  readonly drainMs: number;
}

/** What a checked file means: its sections, and what follows from several of them. */
export function settle(file: ControlPlaneFile, moreRoutes: readonly NamespaceRoute[], warnings: readonly string[]) {
  const { loadBalancer, tenantRouting, namespaceRouting, controlPlane, prismBridge } = file;
  const pools = [...resolvePools(file)].flatMap(([name, { replicas, resources, isolationLevel, isolationLevels }]) =>
    isolationLevel === undefined
      ? []
      : [{ name, replicas, resources, isolationLevel, isolationLevels, ...isolationOf(isolationLevel, file) }],
  );
  const routing: RoutingSettings = {
    namespaceRoutes: moreRoutes.length === 0 ? namespaceRouting : [...namespaceRouting, ...moreRoutes],
    rules: tenantRouting?.rules ?? [],
    defaultPool: resolveDefaultPool(file),
    drainMs: file.drainTimeoutMs,
  };
  return {
    deployment: file.deployment,
    /** Address of the HTTP listener; what the environment says wins. */
    listen: (controlPlane ?? prismBridge)?.listenAddr,
    pools: new Map(pools.map((pool): [PoolName, PoolDefinition] => [pool.name, pool])),
    routing,
    /** What every tenant has, unless a rule or the tenant says otherwise. */
    isolation: {
      connectionPools: limitsOf(file.connectionPools),
      resourceLimits: file.resourceLimits?.perNamespace ?? {},
      /** Whether proxies measure CPU time, without which no tenant can have a limit of it. */
      measuresCpu: measuresCpu(file),
    },
    backends: settleBackends(file),
    loadBalancer: loadBalancer && { ...loadBalancer, binary: loadBalancer.binary ?? loadBalancer.type },
    discovery: file.serviceDiscovery,
    health: file.healthChecks,
    dns: file.dns,
    kubernetes: settleKubernetes(file),
    compliance: {
      ...file.compliance,
      frameworks: file.compliance.frameworks.map((written) => findFramework(written)?.name ?? written),
    },
    auditBackend: file.auditBackend,
    /** Allowed, but probably not intended. */
    warnings,
  };
}

// Nest injects by class; the type of its instances is inferred.
const Settled = Object as unknown as abstract new () => Readonly<ReturnType<typeof settle>>;

/** What the configuration file says, checked and with defaults filled in; made once, before Nest starts. */
export abstract class ControlPlaneSettings extends Settled {}

/** The file as it could be written, with all defaults and all that follows from it. */
export function writeCompleted(file: ControlPlaneFile, settings: ControlPlaneSettings): unknown {
  const { pools, routing, backends, kubernetes, loadBalancer, compliance } = settings;
  return z.encode(CONTROL_PLANE_FILE, {
    ...file,
    proxyPools: new Map(
      [...pools].map(([name, { replicas, resources, isolationLevel, isolationLevels }]) => [
        name,
        { replicas, resources, isolationLevel, isolationLevels },
      ]),
    ),
    backends: Object.fromEntries(
      [...backends].map(([kind, { isolation }]) => [kind, { ...file.backends[kind], isolation }]),
    ) as ControlPlaneFile['backends'],
    defaultPool: routing.defaultPool,
    controlPlane: file.controlPlane ?? file.prismBridge,
    prismBridge: undefined,
    loadBalancer,
    kubernetes,
    compliance,
  });
}

function isolationOf(level: IsolationLevel, file: ControlPlaneFile): Pick<PoolDefinition, 'isolationSettings'> {
  const { connectionPools, resourceLimits, sessionManagement, usage, audit } = file;
  const isGiven = [connectionPools, resourceLimits, sessionManagement, usage, audit].some((each) => each !== undefined);
  return isGiven ? { isolationSettings: isolationSettingsFor(level, file) } : {};
}

/** Only the limits that a tenant may have of its own. */
function limitsOf(pools: ControlPlaneFile['connectionPools'] = {}): ConnectionPools {
  return Object.fromEntries(
    BACKEND_KINDS.flatMap((kind) => {
      const pool = pools[kind];
      if (pool === undefined) {
        return [];
      }
      const { connectionsPerNamespace, maxTotalConnections, maxConnections, perSessionLimit } = pool;
      return [[kind, { connectionsPerNamespace, maxTotalConnections, maxConnections, perSessionLimit }]];
    }),
  );
}

function settleBackends({ deployment, backends }: ControlPlaneFile): ReadonlyMap<BackendKind, BackendSettings> {
  const isSingle = deployment.model === 'single_tenant';
  const settled = BACKEND_KINDS.flatMap((kind): [BackendKind, BackendSettings][] => {
    const section = backends[kind];
    if (section === undefined) {
      return [];
    }
    const { isolation, provisioning, ...backend } = section;
    return [
      [
        kind,
        {
          ...backend,
          isolation: isSingle ? { type: 'physical' } : sharedIsolation(kind, isolation),
          provisioning: provisioning && ({ kind, ...provisioning } as BackendProvisioningSettings),
        },
      ],
    ];
  });
  return new Map(settled);
}

const DEFAULT_TENANT_COLUMN = 'tenant_id';

function sharedIsolation(kind: BackendKind, isolation: Backend<BackendKind>['isolation']): BackendIsolation {
  const given: { readonly format?: string; readonly tenantColumn?: string } = isolation ?? {};
  return kind === 'postgres'
    ? { type: SHARED_ISOLATION[kind], tenantColumn: given.tenantColumn ?? DEFAULT_TENANT_COLUMN }
    : { type: SHARED_ISOLATION[kind], format: given.format ?? NAMED_BACKENDS[kind].defaultFormat };
}

/** Discovery needs the cluster; that alone does not mean that tenants are looked for there. */
function settleKubernetes({ kubernetes, serviceDiscovery }: ControlPlaneFile): ControlPlaneFile['kubernetes'] {
  const isNeeded = serviceDiscovery?.type === 'kubernetes';
  const inferred = { namespace: 'default', watchTenants: false, leaderElection: false } as Section<'kubernetes'>;
  return kubernetes ?? (isNeeded ? inferred : undefined);
}
