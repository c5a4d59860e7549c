import { describe, expect, it } from '@jest/globals';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { parsePatch } from './parse-patch.js';
import { changeElements } from './change-elements.js';
import { ElementInspector } from './element-inspector.js';
import type { ElementOperation } from './patch-operation.js';

const SCHEMA = createResourceSchema('User');

function parseOperation(operation: object): ElementOperation {
  const [parsed] = parsePatch({ Operations: [operation] }, SCHEMA, 'rfc');
  if (parsed?.kind !== 'elements') {
    throw new Error('expected an operation on elements');
  }
  return parsed;
}

describe(changeElements.name, () => {
  it.each([
    ['of which elements are selected', 'roles[value eq "a"]'],
    ['of which every element is changed', 'roles.display'],
  ])('rejects a list %s, if that costs too much, before it looks at an element', (_, path) => {
    const operation = parseOperation({ op: 'remove', path });
    let reads = 0;
    const property = { enumerable: true, get: () => `${reads++}` };
    const roles = [1, 2].map(() => Object.defineProperties({}, { value: property, display: property }));
    const inspector = new ElementInspector();
    inspector.charge(399_999);

    expect(() => changeElements(operation, roles, 'rfc', inspector)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'tooMany' }),
    );
    expect(reads).toBe(0);
  });

  it('returns the list itself when an element is replaced by an equal one', () => {
    const operation = parseOperation({ op: 'replace', path: 'roles[value eq "a"]', value: { value: 'a' } });
    const roles = [{ value: 'a' }, { value: 'b' }];
    expect(changeElements(operation, roles, 'rfc', new ElementInspector())).toBe(roles);
  });
});
