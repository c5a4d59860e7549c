import type { PoolName, Proxy } from '@palisade/domain';

/** A proxy that has heard nothing of the control plane for so long holds no stream. */
const MAX_SILENCE_SECONDS = 5;

/** Whether a proxy takes requests and follows the policy of its pool. */
export function isGoverned({ health, isDraining, policy }: Proxy): boolean {
  return (
    health === 'healthy' && !isDraining && policy?.source === 'stream' && policy.age_seconds <= MAX_SILENCE_SECONDS
  );
}

/**
 * Whether everything up to the revision is in force at the proxy. A later revision than the registry has is from before the
 * store was restored, and says nothing.
 */
export function hasApplied({ policy }: Proxy, revision: number, current: number): boolean {
  const applied = policy?.revision ?? -1;
  return applied >= revision && applied <= current;
}

/** What the load balancer has to know before it sends a tenant to a pool. */
export interface Acknowledgements {
  readonly byPool: ReadonlyMap<PoolName, readonly Proxy[]>;
  /** The registry's revision. */
  readonly revision: number;
}

/** Those that a tenant of the pool, which has been there since the revision, still has to wait for. */
export function proxiesBehind(
  { byPool, revision: current }: Acknowledgements,
  pool: PoolName,
  revision: number,
): Proxy[] {
  return (byPool.get(pool) ?? []).filter((proxy) => isGoverned(proxy) && !hasApplied(proxy, revision, current));
}

export const POLICY_STATES = ['current', 'behind', 'rejected', 'stale', 'unmanaged'] as const;
/**
 * `current`: the proxy enforces the latest revision; `behind`: an earlier one; `rejected`: an earlier one, as it cannot enforce a
 * later one; `stale`: it does not hear of the control plane; `unmanaged`: it says nothing of a policy.
 */
export type PolicyState = (typeof POLICY_STATES)[number];

export function policyStateOf(proxy: Proxy, current: number): PolicyState {
  const { policy } = proxy;
  if (policy === undefined) {
    return 'unmanaged';
  }
  if (policy.rejected !== undefined && policy.rejected.revision > (policy.revision ?? -1)) {
    return 'rejected';
  }
  if (policy.source !== 'stream' || policy.age_seconds > MAX_SILENCE_SECONDS) {
    return 'stale';
  }
  return hasApplied(proxy, current, Infinity) ? 'current' : 'behind';
}

/** Revisions that a proxy has still to apply; undefined when it says nothing of a policy. */
export function revisionsBehind({ policy }: Proxy, current: number): number | undefined {
  return policy && Math.max(current - (policy.revision ?? 0), 0);
}
