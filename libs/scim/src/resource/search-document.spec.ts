import { describe, expect, it } from '@jest/globals';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { validateExtension } from '../schema/validate-extension.js';
import { ENTERPRISE_USER_URN } from '../urns.js';
import { createSearchDocument } from './search-document.js';

const hr = validateExtension({
  resourceType: 'User',
  schema: {
    id: 'urn:acme:hr',
    name: 'HR',
    attributes: [
      { name: 'hired', type: 'dateTime' },
      { name: 'grade', type: 'integer' },
      { name: 'code', caseExact: true },
      { name: 'tags', multiValued: true },
    ],
  },
});
const schema = createResourceSchema('User', [hr]);

describe(createSearchDocument.name, () => {
  it('[RFC7643-2.2] folds texts that are not case exact', () => {
    expect(createSearchDocument({ userName: 'BABS', name: { givenName: 'Bárbara' } }, schema)).toEqual({
      userName: 'babs',
      name: { givenName: 'bárbara' },
    });
  });

  it('[RFC7643-2.3.7] keeps references, certificates and case exact texts', () => {
    const attributes = {
      profileUrl: 'https://X.example/A',
      x509Certificates: [{ value: 'TWFu', display: 'Cert' }],
      'urn:acme:hr': { code: 'Ab' },
    };

    expect(createSearchDocument(attributes, schema)).toEqual({
      profileUrl: 'https://X.example/A',
      x509Certificates: [{ value: 'TWFu', display: 'cert' }],
      'urn:acme:hr': { code: 'Ab' },
    });
  });

  it('writes date and time in UTC with milliseconds', () => {
    expect(createSearchDocument({ 'urn:acme:hr': { hired: '2026-01-31T08:30:00+01:00' } }, schema)).toEqual({
      'urn:acme:hr': { hired: '2026-01-31T07:30:00.000Z' },
    });
  });

  it('keeps booleans and numbers', () => {
    const attributes = { active: false, 'urn:acme:hr': { grade: 7 }, emails: [{ value: 'A@X', primary: true }] };

    expect(createSearchDocument(attributes, schema)).toEqual({
      active: false,
      'urn:acme:hr': { grade: 7 },
      emails: [{ value: 'a@x', primary: true }],
    });
  });

  it('folds every text of a list', () => {
    expect(createSearchDocument({ 'urn:acme:hr': { tags: ['A', 'b'] } }, schema)).toEqual({
      'urn:acme:hr': { tags: ['a', 'b'] },
    });
  });

  it('keeps the id of a manager as it is', () => {
    const attributes = { [ENTERPRISE_USER_URN]: { manager: { value: 'user:scim:acme:AbC' }, department: 'R&D' } };

    expect(createSearchDocument(attributes, schema)).toEqual({
      [ENTERPRISE_USER_URN]: { manager: { value: 'user:scim:acme:AbC' }, department: 'r&d' },
    });
  });

  it('leaves out what is never returned and what no schema defines', () => {
    expect(createSearchDocument({ password: 's3cret', 'urn:gone': { a: 1 }, userName: 'a' }, schema)).toEqual({
      userName: 'a',
    });
  });
});
