import type { IsolationLevel } from '@palisade/domain';
import type { ControlPlaneFile } from '../dto/control-plane-file.js';
import { DEDICATED_POOL } from '../../config/own-pools.js';
import type { Path } from '../findings/path.js';

const DEFAULT_REPLICAS = 2;
const DEFAULT_CPU = '2';
const DEFAULT_MEMORY = '4Gi';

export interface ResolvedPool {
  readonly replicas: number;
  readonly cpu: string | number;
  readonly memory: string | number;
  /** Undefined when nothing says it. */
  readonly isolationLevel?: IsolationLevel;
  /** Where the level would be said. */
  readonly levelPath: Path;
}

/** The pools of the file by name, with what `proxy` and the file say for all of them. */
export function resolvePools(file: ControlPlaneFile): ReadonlyMap<string, ResolvedPool> {
  const { deployment, proxy, proxy_pools: pools } = file;
  if (deployment.model === 'single_tenant' && pools.size === 0) {
    return new Map([[DEDICATED_POOL, resolve(file, {}, ['proxy', 'isolation_level'])]]);
  }
  return new Map(
    [...pools].map(([name, pool]) => [name, resolve(file, pool, ['proxy_pools', name, 'isolation_level'])]),
  );

  function resolve(
    { isolation_level: levelOfFile }: ControlPlaneFile,
    { replicas, resources, isolation_level: level }: Partial<typeof proxy>,
    levelPath: Path,
  ): ResolvedPool {
    return {
      replicas: replicas ?? proxy.replicas ?? DEFAULT_REPLICAS,
      cpu: resources?.cpu ?? proxy.resources?.cpu ?? DEFAULT_CPU,
      memory: resources?.memory ?? proxy.resources?.memory ?? DEFAULT_MEMORY,
      isolationLevel: level ?? proxy.isolation_level ?? levelOfFile,
      levelPath,
    };
  }
}

/** The pool of what has no other. A single tenant has one unless there are several, none of which is named for it. */
export function resolveDefaultPool(file: ControlPlaneFile): string | undefined {
  const { model, tenant_id: tenant } = file.deployment;
  if (file.default_pool !== undefined || model !== 'single_tenant') {
    return file.default_pool;
  }
  const names = [...resolvePools(file).keys()];
  return names.length === 1
    ? names[0]
    : [tenant, DEDICATED_POOL].find((name) => name !== undefined && names.includes(name));
}
