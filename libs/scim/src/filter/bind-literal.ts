import type { AttributeDefinition, AttributeType, ComparisonOperator } from '@palisade/domain';
import { badRequest } from '../scim.errors.js';
import { toCanonicalDateTime } from '../values/canonical-date-time.js';
import type { ComparisonExpression } from './filter-expression.js';
import { foldCase } from '../values/fold-case.js';

const EQUALITY: readonly ComparisonOperator[] = ['eq', 'ne'];
const ORDER: readonly ComparisonOperator[] = ['gt', 'ge', 'lt', 'le'];
const SUBSTRING: readonly ComparisonOperator[] = ['co', 'sw', 'ew'];

/**
 * RFC 7644 §3.4.2.2, table 3: with gt, ge, lt and le "Boolean and Binary attributes SHALL cause a failed response".
 * It is silent on substrings of anything but strings: a dateTime compares as an instant and a binary as its octets, of
 * which pieces of their text are no parts, so they are rejected (table 9: "comparison combination is not supported").
 */
const SUPPORTED_OPERATORS: Readonly<Record<AttributeType, readonly ComparisonOperator[]>> = {
  string: [...EQUALITY, ...ORDER, ...SUBSTRING],
  reference: [...EQUALITY, ...ORDER, ...SUBSTRING],
  dateTime: [...EQUALITY, ...ORDER],
  integer: [...EQUALITY, ...ORDER],
  decimal: [...EQUALITY, ...ORDER],
  boolean: EQUALITY,
  binary: EQUALITY,
  complex: [],
};

/** @throws {ScimError} 400 invalidFilter when attributes of this type do not compare in this way */
export function checkOperator(comparison: ComparisonExpression, attribute: AttributeDefinition): void {
  const supported = SUPPORTED_OPERATORS[attribute.type];
  if (!supported.includes(comparison.operator)) {
    throw badRequest(
      'invalidFilter',
      `filter: expected one of ${supported.join(', ')} for ${attribute.type} attribute ${comparison.path}, ` +
        `found "${comparison.operator}" at offset ${comparison.pathOffset}`,
    );
  }
}

/**
 * The value of a comparison as search documents hold values of the attribute: folded, dateTimes in UTC.
 *
 * @throws {ScimError} 400 invalidFilter when the value is not of the attribute's type
 */
export function bindLiteral(
  comparison: ComparisonExpression,
  attribute: AttributeDefinition,
): string | number | boolean {
  const { value } = comparison;
  const text = typeof value === 'string' ? value : comparison.source;
  switch (attribute.type) {
    case 'string':
      return foldUnlessExact(text, attribute) ?? reject(comparison, 'a string');
    case 'reference':
    case 'binary':
      // RFC 7643 §2.3.6, §2.3.7: both are case exact, whatever the definition says.
      return text ?? reject(comparison, 'a string');
    case 'dateTime':
      return toCanonicalDateTime(text ?? '') ?? reject(comparison, 'a dateTime such as "2011-05-13T04:42:34Z"');
    case 'integer':
    case 'decimal':
      return typeof value === 'number' ? value : reject(comparison, 'a number');
    case 'boolean':
      return toBoolean(value) ?? reject(comparison, 'true or false');
    case 'complex':
      return reject(comparison, 'a sub-attribute');
    default:
      return attribute.type satisfies never;
  }
}

function foldUnlessExact(text: string | undefined, attribute: AttributeDefinition): string | undefined {
  return text === undefined || attribute.caseExact ? text : foldCase(text);
}

/** Entra ID writes booleans as strings: `roles[primary eq "True"]`. */
function toBoolean(value: ComparisonExpression['value']): boolean | undefined {
  switch (String(value).toLowerCase()) {
    case 'true':
      return true;
    case 'false':
      return false;
    default:
      return undefined;
  }
}

function reject(comparison: ComparisonExpression, expected: string): never {
  const found = JSON.stringify(comparison.value).slice(0, 40);
  throw badRequest(
    'invalidFilter',
    `filter: expected ${expected} for ${comparison.path}, found ${found} at offset ${comparison.valueOffset}`,
  );
}
