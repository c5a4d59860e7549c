import type { NamespaceId } from '@palisade/domain';
import type { TenantLike } from '../table/placement.js';
import type { Route } from '../table/route.js';
import type { Condition } from '../table/rules.js';

/** What to explain: a namespace, a tenant that exists or might, or a namespace of that tenant. */
export interface Question {
  readonly namespace?: NamespaceId;
  readonly tenant?: TenantLike;
}

export const STAGES = ['deployment', 'tenant', 'tenant_routing', 'namespace_routing', 'default_pool'] as const;
export type Stage = (typeof STAGES)[number];

/** One thing that might have chosen the pool. */
export interface Step {
  readonly stage: Stage;
  /** The tenant, or where it stands in the configuration file. */
  readonly candidate: string;
  /** Whether it chose the pool. */
  readonly isChosen: boolean;
  /** A sentence without a full stop. */
  readonly reason: string;
  /** For a rule: its conditions, and which of them hold. */
  readonly conditions?: readonly Condition[];
}

/** A term of the route, with what has the last word on it. */
export interface ExplainedTerm {
  /** As configuration files name it. */
  readonly name: string;
  readonly value: string | number;
  readonly from: string;
}

export interface Explanation {
  /** Undefined: nowhere, or it depends on the namespace. */
  readonly route?: Route;
  /** In the order in which they were tried. */
  readonly steps: readonly Step[];
  readonly terms: readonly ExplainedTerm[];
  /** In sentences, for people. */
  readonly summary: string;
}
