import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { validateExtension } from '../schema/validate-extension.js';
import { ENTERPRISE_USER_URN } from '../urns.js';
import { readResource } from './read-resource.js';
import { replaceAttributes, type ReplaceableState } from './replace-attributes.js';

const hr = validateExtension({
  resourceType: 'User',
  schema: {
    id: 'urn:acme:hr',
    name: 'HR',
    attributes: [
      { name: 'badge', mutability: 'immutable' },
      {
        name: 'desk',
        type: 'complex',
        subAttributes: [{ name: 'building', mutability: 'immutable' }, { name: 'room' }],
      },
    ],
  },
});
const schema = createResourceSchema('User', [hr]);

function replace(attributes: JsonObject, body: unknown, externalId?: string): ReplaceableState {
  const current = { externalId, attributes: { userName: 'babs', active: true, ...attributes } };
  return replaceAttributes(current, readResource(body, schema, { requireAll: false }), schema);
}

describe(replaceAttributes.name, () => {
  it('[RFC7644-3.5.1] keeps what the body omits', () => {
    expect(replace({ title: 'Dr.' }, { userName: 'babs' }).attributes).toEqual({
      userName: 'babs',
      title: 'Dr.',
      active: true,
    });
  });

  it.each([null, []])('[RFC7644-3.5.1] clears what the body gives as %j', (emails) => {
    expect(replace({ emails: [{ value: 'a' }] }, { emails }).attributes).toEqual({ userName: 'babs', active: true });
  });

  it('[RFC7644-3.5.1] replaces complex attributes and lists whole', () => {
    const attributes = {
      name: { familyName: 'Jensen', givenName: 'Barbara' },
      emails: [{ value: 'a' }, { value: 'b' }],
    };

    expect(replace(attributes, { name: { givenName: 'Babs' }, emails: [{ value: 'c' }] }).attributes).toEqual({
      userName: 'babs',
      name: { givenName: 'Babs' },
      active: true,
      emails: [{ value: 'c' }],
    });
  });

  it('merges an extension attribute by attribute', () => {
    const attributes = { [ENTERPRISE_USER_URN]: { costCenter: '1', division: 'x', department: 'y' } };
    const { attributes: replaced } = replace(attributes, {
      [ENTERPRISE_USER_URN]: { costCenter: '2', division: null },
    });

    expect(replaced[ENTERPRISE_USER_URN]).toEqual({ costCenter: '2', department: 'y' });
  });

  it('clears an extension that is null, or that nothing is left of', () => {
    const attributes = { [ENTERPRISE_USER_URN]: { costCenter: '1' } };

    expect(replace(attributes, { [ENTERPRISE_USER_URN]: null }).attributes).toEqual({ userName: 'babs', active: true });
    expect(replace(attributes, { [ENTERPRISE_USER_URN]: { costCenter: null } }).attributes).toEqual({
      userName: 'babs',
      active: true,
    });
  });

  it('gives attributes in the order of the schema', () => {
    const attributes = { [ENTERPRISE_USER_URN]: { division: 'x' }, title: 'Dr.' };
    const { attributes: replaced } = replace(attributes, { nickName: 'B', [ENTERPRISE_USER_URN]: { costCenter: '1' } });

    expect(JSON.stringify(replaced)).toBe(
      `{"userName":"babs","nickName":"B","title":"Dr.","active":true,"${ENTERPRISE_USER_URN}":{"costCenter":"1","division":"x"}}`,
    );
  });

  it.each([null, ' '])('[RFC7643-7] refuses to clear a required attribute with %j', (userName) => {
    expect(() => replace({}, { userName })).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidValue', detail: expect.stringContaining('userName') }),
    );
  });

  it.each([true, false])('keeps whether a user is active when active is cleared: %s', (active) => {
    expect(replace({ active }, { active: null }).attributes.active).toBe(active);
  });

  it('keeps an inactive user inactive when active is omitted', () => {
    expect(replace({ active: false }, { title: 'x' }).attributes.active).toBe(false);
  });

  it.each([
    [undefined, 'e1'],
    [null, undefined],
    ['e2', 'e2'],
  ])('turns the externalId "e1" with %j into %j', (externalId, expected) => {
    expect(replace({}, { externalId }, 'e1').externalId).toBe(expected);
  });

  it('drops data of an extension that is no longer defined', () => {
    expect(replace({ 'urn:gone': { a: 1 } }, {}).attributes).toEqual({ userName: 'babs', active: true });
  });

  describe('immutable attributes', () => {
    const current = { 'urn:acme:hr': { badge: '1', desk: { building: 'A', room: '1' } } };

    it('[RFC7644-3.5.1] take a first value', () => {
      expect(replace({}, { 'urn:acme:hr': { badge: '1' } }).attributes['urn:acme:hr']).toEqual({ badge: '1' });
    });

    it('[RFC7644-3.5.1] may be repeated or omitted', () => {
      expect(replace(current, { 'urn:acme:hr': { badge: '1' } }).attributes['urn:acme:hr']).toEqual(
        current['urn:acme:hr'],
      );
      expect(replace(current, {}).attributes['urn:acme:hr']).toEqual(current['urn:acme:hr']);
    });

    it.each([{ badge: '2' }, { badge: null }, { desk: { building: 'B' } }])(
      '[RFC7644-3.5.1] may not be changed by %j',
      (data) => {
        expect(() => replace(current, { 'urn:acme:hr': data })).toThrow(
          expect.objectContaining({ status: 400, scimType: 'mutability' }),
        );
      },
    );

    it('may not be cleared with their extension', () => {
      expect(() => replace(current, { 'urn:acme:hr': null })).toThrow(
        expect.objectContaining({ scimType: 'mutability' }),
      );
    });

    it('stay in a complex value that is replaced without them', () => {
      expect(replace(current, { 'urn:acme:hr': { desk: { room: '2' } } }).attributes['urn:acme:hr']).toEqual({
        badge: '1',
        desk: { building: 'A', room: '2' },
      });
    });
  });
});
