import { parsePoolName, type IsolationLevel, type PoolName } from '@palisade/domain';
import type { Path } from '@palisade/isolation/settings';
import type { ControlPlaneFile } from './schema/control-plane-file.js';

/** The pool that `proxy` is in `single_tenant`, and the pool of tenants that are promised proxies of their own. */
export const DEDICATED_POOL = parsePoolName('dedicated');

const DEFAULT_REPLICAS = 2;
const DEFAULT_CPU = 2;
const DEFAULT_MEMORY_BYTES = 4 * 2 ** 30;

type FilePool = ControlPlaneFile['proxyPools'] extends ReadonlyMap<unknown, infer P> ? P : never;

/** What a proxy of a pool has. */
export interface Resources {
  /** In cores. */
  readonly cpu: number;
  readonly memoryBytes: number;
}

export interface ResolvedPool {
  readonly replicas: number;
  readonly resources: Resources;
  /** Undefined when nothing says it. */
  readonly isolationLevel?: IsolationLevel;
  /** Absent: all. */
  readonly isolationLevels?: readonly IsolationLevel[];
  /** Where the level would be said. */
  readonly levelPath: Path;
}

/** The pools of the file by name, with what `proxy` and the file say for all of them. */
export function resolvePools(file: ControlPlaneFile): ReadonlyMap<PoolName, ResolvedPool> {
  const { deployment, proxy, proxyPools } = file;
  if (deployment.model === 'single_tenant' && proxyPools.size === 0) {
    return new Map([[DEDICATED_POOL, resolve({}, ['proxy', 'isolation_level'])]]);
  }
  return new Map(
    [...proxyPools].map(([name, pool]) => [name, resolve(pool, ['proxy_pools', name, 'isolation_level'])]),
  );

  function resolve(pool: Partial<FilePool>, levelPath: Path): ResolvedPool {
    return {
      replicas: pool.replicas ?? proxy.replicas ?? DEFAULT_REPLICAS,
      resources: {
        cpu: pool.resources?.cpu ?? proxy.resources?.cpu ?? DEFAULT_CPU,
        memoryBytes: pool.resources?.memoryBytes ?? proxy.resources?.memoryBytes ?? DEFAULT_MEMORY_BYTES,
      },
      isolationLevels: pool.isolationLevels,
      isolationLevel: pool.isolationLevel ?? proxy.isolationLevel ?? file.isolationLevel,
      levelPath,
    };
  }
}

/** The pool of what has no other. A single tenant has one unless there are several, none of which is named for it. */
export function resolveDefaultPool(file: ControlPlaneFile): PoolName | undefined {
  const { model, tenantId } = file.deployment;
  if (file.defaultPool !== undefined || model !== 'single_tenant') {
    return file.defaultPool;
  }
  const names = [...resolvePools(file).keys()];
  return names.length === 1
    ? names[0]
    : [tenantId, DEDICATED_POOL].map((own) => names.find((name) => name === own)).find((name) => name !== undefined);
}

/** The problem of a rule for which {@link hasOwnPools} does not hold. */
export const OWN_POOL_EXPECTED =
  `expected the name of a pool, as there is no pool "${DEDICATED_POOL}" and none named after each tenant of ` +
  'match.contracts';

/**
 * Whether every tenant that a rule promises proxies of its own, without naming a pool, has one: such a tenant must not
 * share with others because a line is missing.
 *
 * @param contracts the only tenants that the rule applies to; undefined: it may apply to any
 */
export function hasOwnPools(contracts: readonly string[] | undefined, pools: ReadonlySet<string>): boolean {
  return pools.has(DEDICATED_POOL) || (contracts?.every((tenant) => pools.has(tenant)) ?? false);
}
