import type { PoolName, TenantId } from '@palisade/domain';
import { pathOfRule, type Route } from '../table/route.js';
import { nameOf } from './explain-stages.js';
import type { Question, Step } from './explanation.js';

interface Outcome {
  /** The owner of the namespace. */
  readonly tenant?: TenantId | undefined;
  readonly route: Route | undefined;
  readonly steps: readonly Step[];
  /** The pools of a tenant whose namespaces go different ways. */
  readonly pools?: readonly PoolName[];
}

/** The explanation in two or three sentences. */
export function summarize(question: Question, { tenant, route, steps, pools = [] }: Outcome): string {
  const { namespace } = question;
  const asked = namespace === undefined ? nameOf(question.tenant ?? {}) : `namespace "${namespace}"`;
  const subject = tenant === undefined ? asked : `${asked} of tenant "${tenant}"`;
  if (route === undefined) {
    return namespace === undefined ? openEnd(subject, pools) : deadEnd(subject);
  }
  const chosen = steps.find(({ isChosen }) => isChosen);
  const { pool, deployment, isolationLevel, chosenBy, rule } = route;
  return [
    `${subject} goes to the pool "${pool}" (${deployment}) at isolation level ${isolationLevel}`,
    ...(chosen === undefined ? [] : [`chosen by ${chosen.candidate}: ${chosen.reason}`]),
    ...(rule === undefined || chosenBy === 'rule'
      ? []
      : [`what it does not say itself comes from ${pathOfRule(rule)}`]),
  ]
    .map(sentence)
    .join(' ');
}

function openEnd(subject: string, pools: readonly PoolName[]): string {
  const among = pools.length === 0 ? '' : `: ${pools.map((pool) => `"${pool}"`).join(' or ')}`;
  return sentence(`where ${subject} goes depends on the namespace${among}`);
}

function deadEnd(subject: string): string {
  return sentence(`there is no route for ${subject}: nothing chooses a pool for it, and there is no default_pool`);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
