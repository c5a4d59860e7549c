import { literalPrefix, patternShape, type NamespacePattern } from '@palisade/domain';
import type { RoutingRule } from '../../config/control-plane-settings.js';
import type { NamespaceRoutes, SharedPattern } from '../table/namespace-routes.js';
import type { Placement, TenantLike } from '../table/placement.js';
import { pathOfEntry, pathOfRule, type Route } from '../table/route.js';
import { conditionsOf, type Condition, type TenantFacts } from '../table/rules.js';
import type { Step } from './explanation.js';

/** So many entries of one pattern are told one by one. */
const MAX_TOLD = 100;

/** Whether the tenant names its pool. */
export function explainTenant(candidate: string, placement: Placement, isConfigured: boolean): Step {
  const isChosen = placement.chosenBy === 'tenant';
  const missing = isConfigured ? '' : ', which the configuration does not have, so that it has no proxies';
  return {
    stage: 'tenant',
    candidate,
    isChosen,
    reason: isChosen ? `names the pool "${placement.pool}" itself${missing}` : 'names no pool itself',
  };
}

export function nameOf({ id }: TenantLike, isHidden = false): string {
  if (isHidden) {
    return 'the tenant of the namespace';
  }
  return id === undefined ? 'a tenant' : `tenant "${id}"`;
}

/**
 * Every rule up to the one that holds, and how many there are behind it. Conditions tell what a tenant says about itself,
 * so they are left out for a hidden one.
 */
export function explainRules(
  rules: readonly RoutingRule[],
  facts: TenantFacts,
  placement: Placement,
  isHidden: boolean,
): Step[] {
  const asked = placement.rule === undefined ? rules : rules.slice(0, placement.rule + 1);
  const steps = asked.map((rule, at): Step => {
    const conditions = conditionsOf(rule, facts);
    const holds = at === placement.rule;
    const isChosen = holds && placement.chosenBy === 'rule';
    if (isHidden) {
      const reason = holds ? `holds; ${effectOf(placement)}` : 'does not hold';
      return { stage: 'tenant_routing', candidate: pathOfRule(at), isChosen, reason };
    }
    const reason = holds ? `${holding(conditions)}; ${effectOf(placement)}` : failing(conditions);
    return { stage: 'tenant_routing', candidate: pathOfRule(at), isChosen, reason, conditions };
  });
  const left = rules.length - asked.length;
  const last = rules.length - 1;
  return left === 0
    ? steps
    : [
        ...steps,
        {
          stage: 'tenant_routing',
          candidate: left === 1 ? pathOfRule(last) : `${pathOfRule(asked.length)} to [${last}]`,
          isChosen: false,
          reason: 'not asked, as an earlier rule holds',
        },
      ];
}

function holding(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? 'holds for all' : `holds: ${told(conditions)}`;
}

function failing(conditions: readonly Condition[]): string {
  return `does not hold: ${told(conditions.filter(({ holds }) => !holds))}`;
}

function told(conditions: readonly Condition[]): string {
  return conditions.map(({ key, finding }) => `${key.replace('_', ' ')} ${finding}`).join('; ');
}

function effectOf({ pool, chosenBy }: Placement): string {
  switch (chosenBy) {
    case 'rule':
      return `it chooses the pool "${pool}"`;
    case 'tenant':
      return 'it gives what the tenant does not say itself';
    case undefined:
      return 'it names no pool';
  }
}

/** The entries that match, and how many do not. */
export function explainEntries(routes: NamespaceRoutes, namespace: string, chosen: Route | undefined): Step[] {
  const matches = routes.matches(namespace).map(({ value }) => value);
  const [best] = matches;
  const isChosen = chosen?.chosenBy === 'namespace_routing';
  const steps = matches.flatMap((shared) =>
    shared.parts.slice(0, MAX_TOLD).map(({ entry, weight }): Step => {
      const isPart = shared === best && shared.partOf(namespace).entry === entry;
      const reason =
        shared === best ? partReason(shared, namespace, isPart, weight) : lessExact(shared.pattern, best?.pattern);
      return { stage: 'namespace_routing', candidate: pathOfEntry(entry), isChosen: isPart && isChosen, reason };
    }),
  );
  const others = routes.entries.length - matches.reduce((sum, { parts }) => sum + parts.length, 0);
  return others === 0
    ? steps
    : [
        ...steps,
        {
          stage: 'namespace_routing',
          candidate: counted(others, steps.length > 0),
          isChosen: false,
          reason: 'not matching',
        },
      ];
}

function counted(count: number, isRest: boolean): string {
  return `${count} ${isRest ? 'other ' : ''}${count === 1 ? 'entry' : 'entries'} of namespace_routing`;
}

function partReason({ pattern, parts }: SharedPattern, namespace: string, isPart: boolean, weight: number): string {
  if (parts.length === 1) {
    return `"${pattern}" matches`;
  }
  const share = `"${pattern}" matches and is divided among ${parts.length} entries by weight`;
  return `${share}; this one (weight ${weight}) ${isPart ? 'has' : 'does not have'} "${namespace}"`;
}

function lessExact(pattern: NamespacePattern, best: NamespacePattern | undefined): string {
  if (best === undefined) {
    return `"${pattern}" matches`;
  }
  const isName = patternShape(best) === 'exact';
  const hasPrefix = literalPrefix(best).length > literalPrefix(pattern).length;
  const why = isName ? 'is the very name' : hasPrefix ? 'has a longer literal prefix' : 'is more exact';
  return `"${pattern}" matches too, but "${best}" ${why}`;
}
