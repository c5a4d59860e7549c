import type { ResourceType } from '../identifiers.js';
import type { AttributeReference, Filter } from './filter.js';

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
  readonly members?: boolean;
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
