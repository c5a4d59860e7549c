import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parseTenantId } from '@palisade/domain';
import * as fc from 'fast-check';
import { parseNameTemplate } from '../name-template.js';
import { escapeGlob, KeySpace } from './key-space.js';

const TEMPLATE = parseNameTemplate('tenant:{tenant_id}:{key}', 'key');
const [ACME, ACME2] = ['eu', 'eu2'].map(
  (namespace) => new KeySpace(TEMPLATE, { tenantId: parseTenantId('acme'), namespace: parseNamespaceId(namespace) }),
) as [KeySpace, KeySpace];

const NAMES = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 200 })
  .filter((name) => Buffer.byteLength(name) <= 1024);

describe(KeySpace.name, () => {
  it('puts every name below its namespace, and gets it back from there, and only there', () => {
    fc.assert(
      fc.property(NAMES, (name) => {
        const key = Buffer.from(ACME.apply(name));
        expect(key.toString().startsWith('tenant:acme:eu:')).toBe(true);
        expect(ACME.strip(key)).toBe(name);
        expect(ACME2.strip(key)).toBeUndefined();
      }),
    );
  });

  it('keeps different names different', () => {
    fc.assert(
      fc.property(NAMES, NAMES, (one, other) => {
        expect(Buffer.from(ACME.apply(one)).equals(Buffer.from(ACME.apply(other)))).toBe(one === other);
      }),
    );
  });

  it.each([
    ['a key that is only the prefix', Buffer.from('tenant:acme:eu:')],
    ['a key of nobody', Buffer.from('tenant:acme:e')],
    ['a key that is no UTF-8', Buffer.concat([Buffer.from('tenant:acme:eu:'), Buffer.of(0xc3)])],
  ])('has no name for %s', (_, key) => {
    expect(ACME.strip(key)).toBeUndefined();
  });

  it('describes its keys by a pattern, with fewer stars where they mean the same', () => {
    expect(ACME.pattern()).toBe('tenant:acme:eu:*');
    expect(ACME.pattern('a***b')).toBe('tenant:acme:eu:a*b');
  });
});

describe(escapeGlob.name, () => {
  it('has the characters of patterns stand for themselves', () => {
    expect(escapeGlob('a*b?c[d]e\\f-g^h')).toBe('a\\*b\\?c\\[d\\]e\\\\f-g^h');
  });
});
