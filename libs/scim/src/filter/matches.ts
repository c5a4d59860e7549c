import { isObject, type ComparisonOperator, type Filter, type JsonObject, type JsonValue } from '@palisade/domain';
import { compareValues } from '../values/compare-values.js';
import { isScalar, ownValue, type Scalar } from '../values/document-values.js';

/**
 * Whether a search document satisfies a filter, as the comment of {@link Filter} defines it. Looks at own properties only.
 * A comparison between different JSON types never holds.
 */
export function matches(filter: Filter, document: JsonObject): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.operands.every((operand) => matches(operand, document));
    case 'or':
      return filter.operands.some((operand) => matches(operand, document));
    case 'not':
      return !matches(filter.operand, document);
    case 'compare': {
      const values = valuesAt(document, filter.attribute.path);
      // RFC 7644 §3.4.2.2 is silent on an absent value: `ne` holds, as it has no value that is identical. ADR-0004.
      return values.length === 0
        ? filter.operator === 'ne'
        : values.some((value) => satisfies(value, filter.operator, filter.value));
    }
    case 'present':
      return valuesAt(document, filter.attribute.path).some((value) => isPresent(value));
    case 'element':
      return valuesAt(document, filter.attribute.path).some(
        (value) => isObject(value) && matches(filter.filter, value),
      );
    default:
      return filter satisfies never;
  }
}

/** Every value that the path leads to, through all elements of lists; null counts as no value (RFC 7643 §2.5). */
function valuesAt(document: JsonObject, path: readonly string[]): readonly JsonValue[] {
  let values: readonly JsonValue[] = [document];
  for (const name of path) {
    values = values.flatMap((value) => ownValue(value, name)).filter((value) => value !== null);
  }
  return values;
}

function satisfies(value: JsonValue, operator: ComparisonOperator, wanted: Scalar): boolean {
  if (typeof value === 'string' && typeof wanted === 'string') {
    return compareStrings(value, operator, wanted);
  }
  return isScalar(value) && typeof value === typeof wanted && compareScalars(value, operator, wanted);
}

function compareStrings(value: string, operator: ComparisonOperator, wanted: string): boolean {
  switch (operator) {
    case 'co':
      return value.includes(wanted);
    case 'sw':
      return value.startsWith(wanted);
    case 'ew':
      return value.endsWith(wanted);
    default:
      return compareScalars(value, operator, wanted);
  }
}

function compareScalars(value: Scalar, operator: ComparisonOperator, wanted: Scalar): boolean {
  switch (operator) {
    case 'eq':
      return value === wanted;
    case 'ne':
      return value !== wanted;
    case 'gt':
      return compareValues(value, wanted) > 0;
    case 'ge':
      return compareValues(value, wanted) >= 0;
    case 'lt':
      return compareValues(value, wanted) < 0;
    case 'le':
      return compareValues(value, wanted) <= 0;
    case 'co':
    case 'sw':
    case 'ew':
      return false;
    default:
      return operator satisfies never;
  }
}

/** RFC 7644 §3.4.2.2 `pr`: "a non-empty or non-null value, or if it contains a non-empty node for complex attributes". */
function isPresent(value: JsonValue): boolean {
  if (value === null || value === '') {
    return false;
  }
  return typeof value === 'object' ? Object.values(value).some((inner) => isPresent(inner)) : true;
}
