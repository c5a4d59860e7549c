import type { IsolationLevel, NamespacePattern, NamespaceResources, TenantId } from '@palisade/domain';
import type { IsolationSettings } from '../isolation-settings.js';
import type { Path } from '../settings/problems.js';
import type { WrittenTenant } from './policy-documents.js';

/** What applies to a namespace. */
export interface NamespaceTerms {
  /** Undefined while no control plane governs the process. */
  readonly tenantId?: TenantId;
  readonly level: IsolationLevel;
  readonly resources: NamespaceResources;
}

/** A tenant of a policy. What it does not have of its own it shares with the others, so that it takes little memory. */
export interface Tenant extends NamespaceTerms {
  readonly tenantId: TenantId;
  readonly patterns: readonly NamespacePattern[];
  /** What it has of its own. */
  readonly ownPools?: WrittenTenant['connectionPools'];
  readonly ownResources?: NamespaceResources;
}

export function makeTenant(written: WrittenTenant, { level, limits }: IsolationSettings): Tenant {
  const { tenantId, namespaces: patterns, isolationLevel = level, connectionPools, resourceLimits } = written;
  const { perNamespace } = limits;
  return {
    tenantId,
    patterns,
    level: isolationLevel,
    resources: resourceLimits === undefined ? perNamespace : { ...perNamespace, ...resourceLimits },
    ...(connectionPools && { ownPools: connectionPools }),
    ...(resourceLimits && { ownResources: resourceLimits }),
  };
}

/** Something is wrong at a path of a document. */
export type Report = (path: Path, text: string) => void;

/** What a process can enforce. */
export interface Abilities {
  /** Why connections cannot be shared by all namespaces, if so. */
  readonly sharingProblem: string | undefined;
  readonly measuresCpu: boolean;
}

/** Reports what a tenant demands beyond what the process can do, or beyond the caps. */
export function checkTenant(
  { isolationLevel, connectionPools, resourceLimits }: WrittenTenant,
  { pools }: IsolationSettings,
  { sharingProblem, measuresCpu }: Abilities,
  report: Report,
): void {
  if (isolationLevel === 'none' && sharingProblem !== undefined) {
    report(['isolation_level'], sharingProblem);
  }
  if (resourceLimits?.cores !== undefined && !measuresCpu) {
    report(['resource_limits', 'cpu'], CPU_PROBLEM);
  }
  for (const [backend, { connectionsPerNamespace = 0, perSessionLimit = 0 }] of connectionPools ?? []) {
    const cap = pools.get(backend)?.maxTotal;
    if (cap === undefined) {
      continue; // Other proxies of the pool have it.
    }
    const limits = { connections_per_namespace: connectionsPerNamespace, per_session_limit: perSessionLimit };
    for (const [name, limit] of Object.entries(limits).filter(([, each]) => each > cap)) {
      report(['connection_pools', backend, name], `expected at most the cap (${cap}), found ${limit}`);
    }
  }
}

export const CPU_PROBLEM = 'expected none, as this process does not measure CPU time (its own usage.cpu is not true)';
