import { describe, expect, it } from '@jest/globals';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { parsePatch } from './parse-patch.js';
import { changeElements } from './change-elements.js';
import { ElementInspector } from './element-inspector.js';

const SCHEMA = createResourceSchema('User');

describe(changeElements.name, () => {
  it('rejects a list that costs too much before it looks at an element', () => {
    const [operation] = parsePatch({ Operations: [{ op: 'remove', path: 'roles[value eq "a"]' }] }, SCHEMA, 'rfc');
    if (operation?.kind !== 'elements') {
      throw new Error('expected an operation on elements');
    }
    let reads = 0;
    const value = { enumerable: true, get: () => `${reads++}` };
    const roles = [Object.defineProperty({}, 'value', value), Object.defineProperty({}, 'value', value)];
    const inspector = new ElementInspector();
    inspector.charge(399_999);

    expect(() => changeElements(operation, roles, 'rfc', inspector)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'tooMany' }),
    );
    expect(reads).toBe(0);
  });
});
