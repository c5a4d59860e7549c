import { describe, expect, it } from '@jest/globals';
import type { AttributeDefinition } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { defineAttribute } from '../schema/define-attribute.js';
import { parsePatchTarget } from './patch-target.js';
import { ElementInspector, filterableElement } from './element-inspector.js';

const URN = 'urn:example:badges';
const SCORES = defineAttribute({ name: 'scores', description: '', type: 'integer', multiValued: true });
const STAMPS = defineAttribute({ name: 'stamps', description: '', type: 'dateTime', multiValued: true });
const SCHEMA = createResourceSchema('User', [
  {
    resourceType: 'User',
    required: false,
    schema: { id: URN, name: 'Badges', description: '', attributes: [SCORES, STAMPS] },
  },
]);

function attribute(path: string): AttributeDefinition {
  return parsePatchTarget(path, SCHEMA, 'rfc').attribute;
}

describe(ElementInspector.name, () => {
  it.each([
    ['emails[type eq "WORK"]', { type: 'Work' }, true],
    ['emails[type eq "home"]', { type: 'Work' }, false],
    ['photos[value eq "HTTP://X"]', { value: 'http://x' }, false],
    [`${URN}:scores[value gt 3]`, 4, true],
    [`${URN}:scores[value gt 3]`, 3, false],
    [`${URN}:stamps[value eq "2026-01-01T00:00:00Z"]`, '2026-01-01T01:00:00+01:00', true],
  ])('selects by %s of %j: %s', (path, element, expected) => {
    const { selection, steps } = parsePatchTarget(path, SCHEMA, 'rfc');

    expect(selection && new ElementInspector().isSelected(selection, steps, element)).toBe(expected);
  });

  it.each([
    ['emails', { value: 'a', type: 'work' }, { type: 'work', value: 'a', display: 'x' }, true],
    ['emails', { value: 'a', type: 'work' }, { value: 'a' }, false],
    ['emails', { value: 'a' }, { value: 'A' }, false],
    ['addresses', { type: 'work', locality: 'London' }, { locality: 'London', type: 'work' }, true],
    ['addresses', { type: 'work', locality: 'London' }, { type: 'work' }, false],
    [`${URN}:scores`, 3, 3, true],
    [`${URN}:scores`, 3, 4, false],
  ])('tells elements of %s apart: %j, %j: %s', (path, left, right, isSame) => {
    const inspector = new ElementInspector();

    expect(inspector.key(attribute(path), left) === inspector.key(attribute(path), right)).toBe(isSame);
  });

  it('stops after four hundred thousand looks', () => {
    const inspector = new ElementInspector();
    const element = { value: 'a' };
    const emails = attribute('emails');
    inspector.key(emails, element);
    for (let look = 0; look < 399_990; look++) {
      inspector.key(emails, element);
    }

    expect(() => inspector.key(emails, element)).toThrow(expect.objectContaining({ status: 400, scimType: 'tooMany' }));
  });
});

describe(filterableElement.name, () => {
  it('is the attribute itself when that is complex', () => {
    expect(filterableElement(attribute('emails'))).toBe(attribute('emails'));
  });

  it('has the sub-attribute value for simple elements', () => {
    expect(filterableElement(SCORES)).toMatchObject({
      name: 'scores',
      type: 'complex',
      subAttributes: [{ name: 'value', type: 'integer', multiValued: false }],
    });
  });
});
