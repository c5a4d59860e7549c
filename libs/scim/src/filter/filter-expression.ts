import type { ComparisonOperator } from '@palisade/domain';

/** A value in a filter, as JSON has them (RFC 7644 §3.4.2.2 `compValue`). */
export type FilterLiteral = string | number | boolean | null;

/** At least two operands: `a and b and c` is one expression with three, so that long chains do not nest. */
export interface LogicalExpression {
  readonly kind: 'and' | 'or';
  readonly operands: readonly [FilterExpression, FilterExpression, ...FilterExpression[]];
}

export interface NegationExpression {
  readonly kind: 'not';
  readonly operand: FilterExpression;
}

export interface ComparisonExpression {
  readonly kind: 'compare';
  /** As written: any case, perhaps with a schema URN. */
  readonly path: string;
  readonly pathOffset: number;
  readonly operator: ComparisonOperator;
  readonly value: FilterLiteral;
  readonly valueOffset: number;
  /** The text of a number or boolean that a dialect without quotes may mean as a string (`externalId eq 4711`). */
  readonly source?: string;
}

export interface PresenceExpression {
  readonly kind: 'present';
  readonly path: string;
  readonly pathOffset: number;
}

/** `path[filter]`: one and the same element satisfies the filter, whose paths start at the element. */
export interface ValuePathExpression {
  readonly kind: 'valuePath';
  readonly path: string;
  readonly pathOffset: number;
  readonly filter: FilterExpression;
}

/**
 * A filter as it was written, before any schema is looked at. Offsets count UTF-16 units from 0 in the text that was
 * parsed; errors found later name them.
 */
export type FilterExpression =
  LogicalExpression | NegationExpression | ComparisonExpression | PresenceExpression | ValuePathExpression;

/** The target of a PATCH operation (RFC 7644 §3.5.2): `path`, `path[filter]` or `path[filter].subAttribute`. */
export interface PatchPathExpression {
  /** As written: any case, perhaps with a schema URN or, without a filter, a sub-attribute (`name.givenName`). */
  readonly path: string;
  readonly filter?: FilterExpression;
  readonly subAttribute?: string;
}
