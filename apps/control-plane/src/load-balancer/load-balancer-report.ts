import type { JsonObject } from '@palisade/domain';
import type { Drift } from './load-balancer-driver.js';
import type { LoadBalancerStatus } from './load-balancer.js';

/** The name under which the leader reports on the load balancer. */
export const COMPONENT = 'load_balancer';

/** What the leader reports, for the replicas that do not lead. */
export function toReport({ type, lastVersion, lastDrift, unresolved }: LoadBalancerStatus): JsonObject {
  return {
    type,
    last: lastVersion
      ? { result: lastVersion.result, reason: lastVersion.reason ?? null, hash: lastVersion.hash }
      : null,
    drift: lastDrift
      ? { at: lastDrift.at.toISOString(), found: lastDrift.drifts.map(({ kind, detail }) => ({ kind, detail })) }
      : null,
    unresolved: unresolved.map(({ id, host }) => ({ id, host })),
  };
}

interface Report {
  readonly drift?: { readonly at: string; readonly found: readonly Drift[] } | null;
  readonly unresolved?: LoadBalancerStatus['unresolved'];
}

/** The status in a report. `own` is the status of this replica, which does not lead. */
export function readReport(detail: JsonObject | undefined, own: LoadBalancerStatus): LoadBalancerStatus {
  const { drift, unresolved = [] } = (detail ?? {}) as unknown as Report;
  return {
    type: own.type,
    isBusy: false,
    ...(drift && { lastDrift: { at: new Date(drift.at), drifts: drift.found } }),
    unresolved,
  };
}
