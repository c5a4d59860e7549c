import { isDeepStrictEqual } from 'node:util';
import type { RoutingTable } from '../../routing/table/routing-table.js';
import { routingOf, type TenantRouting } from '../../routing/table/tenant-routing.js';
import { asFields, asList } from '../api/objects.js';
import type { Condition, PrismTenant, PrismTenantStatus } from './prism-tenant.js';
import type { Outcome } from './tenant-reconciler.js';

const MAX_MESSAGE_LENGTH = 2048;
const MAX_POOLS = 1000;

type Assessment = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * The status to write into a resource.
 *
 * @param resource with its present status: conditions of others stay, and so do times of conditions that do not change
 */
export function statusOf(resource: PrismTenant, outcome: Outcome, table: RoutingTable, now: Date): PrismTenantStatus {
  const routing = outcome.tenant && routingOf(table, table.place(outcome.tenant));
  const assessments = [accepted(outcome), routed(outcome, routing)];
  const types = new Set(assessments.map(({ type }) => type));
  const others = resource.status.conditions.filter(({ type }) => !types.has(type));
  return {
    observedGeneration: resource.generation,
    namespace_count: asList(asFields(resource.spec)?.['namespaces']).length,
    pools: (routing?.pools ?? []).slice(0, MAX_POOLS),
    isolation_level: routing?.isolationLevel ?? null,
    conditions: [...others, ...assessments.map((finding) => toCondition(finding, resource, now))],
  };
}

/** Whether a write can be saved. */
export function isSameStatus(a: PrismTenantStatus, b: PrismTenantStatus): boolean {
  return isDeepStrictEqual({ ...a, conditions: byType(a) }, { ...b, conditions: byType(b) });
}

/** `NAMESPACE_OVERLAP` is `NamespaceOverlap` here. */
export function reasonOf({ code }: { readonly code: string }): string {
  return code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function accepted({ rejection }: Outcome): Assessment {
  return rejection === undefined
    ? { type: 'Accepted', status: 'True', reason: 'Accepted', message: 'the registry has accepted the tenant' }
    : { type: 'Accepted', status: 'False', reason: reasonOf(rejection), message: rejection.message };
}

function routed({ tenant, rejection }: Outcome, routing: TenantRouting | undefined): Assessment {
  const type = 'Routed';
  if (tenant === undefined || routing === undefined) {
    return { type, status: 'False', reason: 'NotAccepted', message: 'the registry does not have the tenant' };
  }
  if (routing.pools.length === 0) {
    return { type, status: 'False', reason: 'NoPool', message: 'no pool is assigned to the namespaces' };
  }
  const pools = routing.pools.map((pool) => `"${pool}"`).join(', ');
  return rejection === undefined
    ? { type, status: 'True', reason: 'Routed', message: `requests go to ${pools}` }
    : {
        type,
        status: 'True',
        reason: 'EarlierGeneration',
        message: `requests go to ${pools}, according to the last accepted generation`,
      };
}

function toCondition(assessment: Assessment, { generation, status }: PrismTenant, now: Date): Condition {
  const before = status.conditions.find(({ type }) => type === assessment.type);
  const isAsBefore = before?.status === assessment.status && before.lastTransitionTime !== '';
  return {
    ...assessment,
    message: assessment.message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed(),
    lastTransitionTime: isAsBefore ? before.lastTransitionTime : now.toISOString().replace(/\.\d{3}/, ''),
    observedGeneration: generation,
  };
}

function byType({ conditions }: PrismTenantStatus): readonly Condition[] {
  return conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1));
}
