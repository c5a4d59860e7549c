import type { AttributeDefinition, Filter } from '@palisade/domain';
import { lastStep, referenceTo, type Steps } from './attribute-scope.js';

type Comparison = Extract<Filter, { readonly kind: 'compare' }>;

/** Whether steps lead to the `primary` of a multi-valued attribute. */
export function isPrimary(steps: Steps, parents: readonly AttributeDefinition[]): boolean {
  const { name, type } = lastStep(steps);
  return name === 'primary' && type === 'boolean' && [...parents, ...steps].some(({ multiValued }) => multiValued);
}

/**
 * A comparison of `primary` that takes an element without it for one that is not primary. RFC 7643 §2.4: "If not
 * specified, the value of 'primary' SHALL be assumed to be 'false'".
 *
 * @param steps to `primary` from where the comparison's references start
 */
export function assumePrimary(comparison: Comparison, steps: Steps): Filter {
  const isWanted = (comparison.operator === 'eq') === comparison.value;
  const attribute = referenceTo([lastStep(steps)]);
  const isTrue: Filter = { kind: 'compare', attribute, operator: 'eq', value: true };
  const filter: Filter = isWanted ? isTrue : { kind: 'not', operand: isTrue };
  const [first, ...rest] = steps.slice(0, -1);
  if (first === undefined) {
    return filter;
  }
  const list = referenceTo([first, ...rest]);
  const anyElement: Filter = { kind: 'element', attribute: list, filter };
  // Without any element there is no value, and then `ne` holds.
  const isEmpty: Filter = { kind: 'not', operand: { kind: 'present', attribute: list } };
  return comparison.operator === 'ne' ? { kind: 'or', operands: [anyElement, isEmpty] } : anyElement;
}
