import { isDeepStrictEqual } from 'node:util';
import type { RoutingTable } from '../../routing/table/routing-table.js';
import { routingOf, type TenantRouting } from '../../routing/table/tenant-routing.js';
import { asFields, asList } from '../api/objects.js';
import type { Condition, PrismTenant, PrismTenantStatus } from './prism-tenant.js';
import type { Outcome } from './tenant-reconciler.js';

const MAX_MESSAGE_LENGTH = 2048;
const MAX_POOLS = 1000;

type Finding = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * What the status of a resource has to say.
 *
 * @param resource with the status that it has: conditions of others stay, and times of those that do not change
 */
export function statusOf(resource: PrismTenant, outcome: Outcome, table: RoutingTable, now: Date): PrismTenantStatus {
  const routing = outcome.tenant && routingOf(table, table.place(outcome.tenant));
  const findings = [accepted(outcome), routed(outcome, routing)];
  const types = new Set(findings.map(({ type }) => type));
  const others = resource.status.conditions.filter(({ type }) => !types.has(type));
  return {
    observedGeneration: resource.generation,
    namespace_count: asList(asFields(resource.spec)?.['namespaces']).length,
    pools: (routing?.pools ?? []).slice(0, MAX_POOLS),
    isolation_level: routing?.isolationLevel ?? null,
    conditions: [...others, ...findings.map((finding) => toCondition(finding, resource, now))],
  };
}

/** Whether nothing has to be written. */
export function isSameStatus(a: PrismTenantStatus, b: PrismTenantStatus): boolean {
  return isDeepStrictEqual({ ...a, conditions: byType(a) }, { ...b, conditions: byType(b) });
}

/** `NAMESPACE_OVERLAP` is `NamespaceOverlap` here. */
export function reasonOf({ code }: { readonly code: string }): string {
  return code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function accepted({ rejection }: Outcome): Finding {
  return rejection === undefined
    ? { type: 'Accepted', status: 'True', reason: 'Accepted', message: 'the registry has the tenant as it is here' }
    : { type: 'Accepted', status: 'False', reason: reasonOf(rejection), message: rejection.message };
}

function routed({ tenant, rejection }: Outcome, routing: TenantRouting | undefined): Finding {
  const type = 'Routed';
  if (tenant === undefined || routing === undefined) {
    return { type, status: 'False', reason: 'NotAccepted', message: 'the registry does not have the tenant' };
  }
  if (routing.pools.length === 0) {
    return { type, status: 'False', reason: 'NoPool', message: 'nothing says which pool the namespaces go to' };
  }
  const pools = routing.pools.map((pool) => `"${pool}"`).join(', ');
  return rejection === undefined
    ? { type, status: 'True', reason: 'Routed', message: `requests go to ${pools}` }
    : {
        type,
        status: 'True',
        reason: 'EarlierGeneration',
        message: `requests go to ${pools}, as the last accepted generation says`,
      };
}

function toCondition(finding: Finding, { generation, status }: PrismTenant, now: Date): Condition {
  const before = status.conditions.find(({ type }) => type === finding.type);
  const isAsBefore = before?.status === finding.status && before.lastTransitionTime !== '';
  return {
    ...finding,
    message: finding.message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed(),
    lastTransitionTime: isAsBefore ? before.lastTransitionTime : now.toISOString().replace(/\.\d{3}/, ''),
    observedGeneration: generation,
  };
}

function byType({ conditions }: PrismTenantStatus): readonly Condition[] {
  return conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1));
}
