import type { AttributeDefinition, Filter, JsonValue, MembershipChange } from '@palisade/domain';
import type { Steps } from '../filter/attribute-scope.js';
import type { FilterExpression } from '../filter/filter-expression.js';

/** RFC 7644 §3.5.2. */
export const PATCH_OPS = ['add', 'remove', 'replace'] as const;
export type PatchOp = (typeof PATCH_OPS)[number];

/**
 * One step of a patch, already checked against the schema: whether it can be done depends on the resource only. What a
 * client sends as one operation on several attributes is several steps here.
 */
export type PatchOperation = AttributeOperation | ElementOperation | MembershipOperation;

interface TargetedOperation {
  readonly op: PatchOp;
  /** Only the last may be multi-valued. */
  readonly steps: Steps;
}

/** Acts on an attribute as a whole. */
export interface AttributeOperation extends TargetedOperation {
  readonly kind: 'attribute';
  /** As `readValue` gives it; undefined is unassigned. When removing from a multi-valued attribute: only these values. */
  readonly value: JsonValue | undefined;
}

/** Acts on elements of the multi-valued attribute that `steps` lead to. */
export interface ElementOperation extends TargetedOperation {
  readonly kind: 'elements';
  /** The target as messages name it. */
  readonly path: string;
  /** Which elements; all of them when absent. */
  readonly selection?: ElementSelection;
  readonly change: ElementChange;
}

/** Changes who is in a group; never looks at the members that there are. */
export interface MembershipOperation {
  readonly kind: 'members';
  readonly change: MembershipChange;
}

export interface ElementSelection {
  readonly filter: Filter;
  /** How many conditions the filter has: what it costs to evaluate. */
  readonly conditions: number;
  /** The filter as it was written: it tells what a new element must be like to be selected. */
  readonly expression: FilterExpression;
}

export type ElementChange =
  | { readonly kind: 'drop' }
  | { readonly kind: 'exchange'; readonly element: JsonValue }
  /** Applies the operation to each of these sub-attributes; the others stay. */
  | { readonly kind: 'merge'; readonly values: ReadonlyMap<AttributeDefinition, JsonValue | undefined> };
