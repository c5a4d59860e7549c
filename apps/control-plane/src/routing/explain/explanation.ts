import type { NamespaceId } from '@palisade/domain';
import type { TenantLike } from '../table/placement.js';
import type { Route } from '../table/route.js';
import type { Condition } from '../table/rules.js';

/** What somebody wants to know about: a namespace, a tenant that is or might be, or that tenant's namespace. */
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
  /** Of a rule that was asked. */
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
  /** In the order in which they were asked. */
  readonly steps: readonly Step[];
  /** Of the route. */
  readonly terms: readonly ExplainedTerm[];
  /** In sentences, for people. */
  readonly summary: string;
}
