import type { AttributeReference } from '@palisade/domain';
import { badRequest } from '../scim.errors.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { checkSearchable, comparableSteps, referenceTo, rootScope } from './attribute-scope.js';

/**
 * The attribute that `sortBy` names; for a complex one its `value`.
 *
 * @throws {ScimError} 400 invalidValue when there is no such attribute, or nothing to sort by; 403 sensitive
 */
export function bindSortAttribute(path: string, schema: ResourceSchema): AttributeReference {
  const scope = rootScope(schema);
  const shown = `sortBy: ${JSON.stringify(path.slice(0, 200))}`;
  const found = scope.resolve(path);
  const steps = found && comparableSteps(found);
  if (steps === undefined) {
    // RFC 7644 §3.4.2.3: "If the attribute is complex, the attribute name must be a path to a sub-attribute".
    const expected = found === undefined ? scope.expected : 'one of its sub-attributes';
    throw badRequest('invalidValue', `${shown}: expected ${expected}`);
  }
  checkSearchable(scope, steps, 'invalidValue', shown);
  return referenceTo(steps);
}
