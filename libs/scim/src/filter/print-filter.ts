import type { FilterExpression } from './filter-expression.js';

/** How tightly an expression binds (RFC 7644 §3.4.2.2: `not` before `and` before `or`). */
const PRECEDENCE: Readonly<Record<FilterExpression['kind'], number>> = {
  or: 1,
  and: 2,
  not: 3,
  compare: 3,
  present: 3,
  valuePath: 3,
};

/**
 * The text of a filter, with no more parentheses than it needs. Parsing it gives an equal expression, apart from
 * offsets (one with a `source` needs the option `unquotedLiterals`).
 */
export function printFilter(expression: FilterExpression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.operands
        .map((operand) => printOperand(operand, PRECEDENCE[expression.kind]))
        .join(` ${expression.kind} `);
    case 'not':
      return `not (${printFilter(expression.operand)})`;
    case 'compare':
      return `${expression.path} ${expression.operator} ${expression.source ?? JSON.stringify(expression.value)}`;
    case 'present':
      return `${expression.path} pr`;
    case 'valuePath':
      return `${expression.path}[${printFilter(expression.filter)}]`;
    default:
      return expression satisfies never;
  }
}

function printOperand(operand: FilterExpression, outer: number): string {
  const text = printFilter(operand);
  return PRECEDENCE[operand.kind] > outer ? text : `(${text})`;
}
