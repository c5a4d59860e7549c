import { describe, expect, it } from '@jest/globals';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { defineAttribute } from '../schema/define-attribute.js';
import { findPatchTarget, parsePatchTarget } from './patch-target.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const SCHEMA = createResourceSchema('User', [
  {
    resourceType: 'User',
    required: false,
    schema: {
      id: 'urn:example:badges',
      name: 'Badges',
      description: '',
      attributes: [defineAttribute({ name: 'scores', description: '', type: 'integer', multiValued: true })],
    },
  },
]);

describe(parsePatchTarget.name, () => {
  it.each([
    ['title', ['title'], undefined, 'title'],
    ['NAME.givenname', ['name', 'givenName'], undefined, 'name.givenName'],
    ['emails', ['emails'], undefined, 'emails'],
    ['emails.value', ['emails'], 'value', 'emails.value'],
    ['emails[type eq "work"]', ['emails'], undefined, 'emails'],
    ['emails[type eq "work"].value', ['emails'], 'value', 'emails.value'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"].value', ['emails'], 'value', 'emails.value'],
    [ENTERPRISE, [ENTERPRISE], undefined, ENTERPRISE],
    [`${ENTERPRISE}:manager.value`, [ENTERPRISE, 'manager', 'value'], undefined, `${ENTERPRISE}:manager.value`],
    ['manager.value', [ENTERPRISE, 'manager', 'value'], undefined, `${ENTERPRISE}:manager.value`],
    ['urn:example:badges:scores[value gt 3]', ['urn:example:badges', 'scores'], undefined, 'urn:example:badges:scores'],
  ])('[RFC7644-3.10] resolves %s', (text, names, sub, path) => {
    const target = parsePatchTarget(text, SCHEMA, 'rfc');

    expect(target.steps.map(({ name }) => name)).toEqual(names);
    expect(target.subAttribute?.name).toBe(sub);
    expect(target.path).toBe(path);
  });

  it.each([
    ['emails', undefined],
    ['emails[type eq "work"]', 1],
    ['emails[(type eq "work" or not (type pr)) and value co "x"]', 3],
  ])('counts the conditions of %s', (text, conditions) => {
    expect(parsePatchTarget(text, SCHEMA, 'rfc').selection?.conditions).toBe(conditions);
  });

  it.each([
    'nope',
    'name.nope',
    'title.value',
    'name.givenName.x',
    'emails[type eq "work"].nope',
    'emails[type eq "work"].value.x',
    'emails[type eq "work"]value',
    'name[givenName eq "Ada"]',
    'title[value eq "x"]',
    'emails.value[type eq "work"]',
    `${ENTERPRISE}[department eq "x"]`,
    'urn:example:none:title',
    'emails[type eq "work"][primary eq true]',
    ' ',
    '.',
    'emails]',
  ])('[RFC7644-3.12] rejects the path "%s" with invalidPath', (text) => {
    expect(() => parsePatchTarget(text, SCHEMA, 'rfc')).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidPath' }),
    );
  });

  it.each([
    'emails[',
    'emails[]',
    'emails[type eq]',
    'emails[nope eq "x"]',
    'emails[type gt true]',
    'emails[primary gt true]',
    'emails[type eq "work"',
    `emails${'[('.repeat(40)}`,
  ])('[RFC7644-3.12] rejects the filter of "%s" with invalidFilter', (text) => {
    expect(() => parsePatchTarget(text, SCHEMA, 'rfc')).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidFilter' }),
    );
  });

  it('rejects a path of more than 8192 characters, quoting little of it', () => {
    expect(() => parsePatchTarget(`emails[type eq "${'x'.repeat(9000)}"]`, SCHEMA, 'rfc')).toThrow(
      expect.objectContaining({ scimType: 'invalidPath', detail: expect.not.stringContaining('xxx') as unknown }),
    );
  });
});

describe(findPatchTarget.name, () => {
  it('knows no paths with a filter', () => {
    expect(findPatchTarget('emails[type eq "work"]', SCHEMA)).toBeUndefined();
  });
});
