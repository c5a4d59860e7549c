import type { ResourceType } from '../identifiers.js';
import type { AttributeType } from './schema.js';

export type ComparisonOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/**
 * An attribute that a filter or a sort speaks of, already resolved against the schema: where its value is in a
 * search document (see `ResourceDraft.search`) and how it compares.
 */
export interface AttributeReference {
  /** Property names from the root of the search document (inside `element`: from the element), e.g. `['emails', 'value']`. */
  readonly path: readonly [string, ...string[]];
  readonly type: AttributeType;
  /** Whether one of the steps is a list; the reference then stands for every value in it. */
  readonly multiValued: boolean;
}

/**
 * A filter (RFC 7644 §3.4.2.2) after resolution: attribute names are canonical, types agree with operators, and
 * `value` is folded and normalised exactly as the search document is, so that comparing needs no further knowledge.
 *
 * - A comparison holds when any value of the attribute satisfies it. `ne` also holds when the attribute has no value.
 * - `present` holds when the attribute has a non-empty value.
 * - `element` holds when one and the same element of a multi-valued complex attribute satisfies the inner filter,
 *   whose references start at the element.
 * - Strings order by Unicode code point.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Filter[] }
  | { readonly kind: 'not'; readonly operand: Filter }
  | {
      readonly kind: 'compare';
      readonly attribute: AttributeReference;
      readonly operator: ComparisonOperator;
      readonly value: string | number | boolean;
    }
  | { readonly kind: 'present'; readonly attribute: AttributeReference }
  | { readonly kind: 'element'; readonly attribute: AttributeReference; readonly filter: Filter };

/** Which resources of one type a query selects and by what they sort. */
export interface Selection {
  readonly type: ResourceType;
  readonly filter?: Filter;
  /** Absent: this type has no such attribute, its resources count as having no value. */
  readonly sortBy?: AttributeReference;
}

/** Where a page ended: the last resource's sort value (absent without sorting, null without a value) and its sequence number. */
export interface CursorPosition {
  readonly sequence: number;
  readonly sortValue?: string | number | boolean | null;
}

export type PageRequest =
  /** `startIndex` counts from 1. `count` 0 asks for the total only. */
  | { readonly kind: 'index'; readonly startIndex: number; readonly count: number }
  | { readonly kind: 'cursor'; readonly after?: CursorPosition; readonly count: number };

/** Which derived attributes to load; what is not asked for costs nothing. */
export interface Inclusion {
  readonly groups?: boolean;
  /** `few`: those of groups with at most `MAX_FEW_MEMBERS`; larger ones are read with `DirectoryStore.listMembers`. */
  readonly members?: boolean | 'few';
}

export interface ResourceQuery {
  readonly selections: readonly [Selection, ...Selection[]];
  /**
   * Without sorting, resources come in order of creation. RFC 7644 §3.4.2.3: resources without a value come last
   * when ascending, first when descending; equal values keep the order of creation.
   */
  readonly order: 'created' | 'ascending' | 'descending';
  readonly page: PageRequest;
  readonly include: Inclusion;
}

export interface ResourcePage<T> {
  /** All matches, not only those of this page. */
  readonly total: number;
  readonly items: readonly T[];
  /** Present when a cursor page was asked for and more follow. */
  readonly next?: CursorPosition;
}
