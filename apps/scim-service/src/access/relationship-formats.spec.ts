import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { formatResourceId, parseNamespaceId, parseProviderId } from '@palisade/domain';
import { RELATIONSHIP_FORMATS } from './relationship-formats.js';

const acme = parseProviderId('acme');
const { openfga, spicedb } = RELATIONSHIP_FORMATS;
const externalIds = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => !/\p{Cc}/u.test(text) && text.isWellFormed());

function membership(group: string, member: string) {
  return {
    kind: 'membership',
    group: formatResourceId('Group', acme, group),
    member: formatResourceId('User', acme, member),
  } as const;
}

/** Undoes the encoding of an identifier. */
function decode(id: string): string {
  return decodeURIComponent(id.replaceAll('|', ':').replaceAll('%', '%25').replaceAll('=', '%'));
}

describe('RELATIONSHIP_FORMATS', () => {
  it('write bindings with the members of the group as subject', () => {
    const binding = {
      kind: 'binding',
      namespace: parseNamespaceId('billing'),
      relation: 'write',
      group: formatResourceId('Group', acme, 'g:1'),
    } as const;
    expect(spicedb.write(binding)).toBe('namespace:billing#write@group:scim|acme|g|1#member');
    expect(JSON.parse(openfga.write(binding))).toEqual({
      object: 'namespace:billing',
      relation: 'write',
      user: 'group:scim|acme|g|1#member',
    });
    expect(JSON.parse(RELATIONSHIP_FORMATS.ndjson.write(binding))).toMatchObject({
      tuple: 'namespace:billing#write@group:scim:acme:g:1#member',
    });
  });

  it('write any external id so that SpiceDB and OpenFGA accept it and it can be read back', () => {
    fc.assert(
      fc.property(externalIds, externalIds, (group, member) => {
        const line = spicedb.write(membership(group, member));
        const [, object = '', subject = ''] = /^group:([\w/|=+-]+)#member@user:([\w/|=+-]+)$/.exec(line) ?? [];
        expect([decode(object), decode(subject)]).toEqual([`scim:acme:${group}`, `scim:acme:${member}`]);
      }),
    );
  });

  it('write one line per relationship, whatever the external id', () => {
    fc.assert(
      fc.property(externalIds, (id) => {
        expect(RELATIONSHIP_FORMATS.ndjson.write(membership(id, id))).not.toMatch(/[\r\n]/);
      }),
    );
  });
});
