import { describe, expect, it } from '@jest/globals';
import { InvalidIdentifierError, parseNamespaceId, parseTenantId } from '@palisade/domain';
import * as fc from 'fast-check';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import { type TenantNamespace } from '../tenant-namespace.js';
import { parseNameTemplate } from './name-template.js';
import { tenantValue } from './postgres/separation.js';

function owner(tenant: string, namespace = tenant): TenantNamespace {
  return { tenantId: parseTenantId(tenant), namespace: parseNamespaceId(namespace) };
}

const ACME = owner('acme', 'acme-eu');
const FORMATS = [
  'tenant:{tenant_id}:{key}',
  'tenant:{tenant_id}:{namespace}:{key}',
  '{tenant_id}.{key}',
  'a{tenant_id}/b{namespace}_{key}',
];

/** Ids that look like one another, and like each other's beginnings and ends. */
const IDS = fc.oneof(fc.stringMatching(/^[ab]{1,3}$/), fc.constantFrom('a-a', 'a-b', 'b-a', 'x'.repeat(63)));
const NAMES = fc.string({ unit: fc.constantFrom('a', 'b', '-', ':', '.', '/', '_', '{', '\0'), maxLength: 6 });

/** What nobody can be called. */
const HOSTILE = [
  'a:b',
  'a.b',
  'a/b',
  'a_b',
  'a*',
  'a.>',
  '>',
  '*',
  '%',
  'a?',
  '[a]',
  "a'; drop table orders; --",
  '"a"',
  'a b',
  '{tenant_id}',
  '{namespace}',
  '../a',
  'Acme',
  'ä',
  '\u0430',
  'a\n',
  'a\r\nSUB x 1',
  'a\0',
  '-a',
  'a-',
  '',
  'x'.repeat(64),
  'x'.repeat(255),
];

describe(parseNameTemplate.name, () => {
  it.each([
    ['tenant:{tenant_id}:{key}', 'key', 'tenant:acme:acme-eu:orders'],
    ['tenant:{tenant_id}:{namespace}:{key}', 'key', 'tenant:acme:acme-eu:orders'],
    ['tenant.{tenant_id}.{subject}', 'subject', 'tenant.acme.acme-eu.orders'],
    ['{tenant_id}.{topic}', 'topic', 'acme.acme-eu.orders'],
    ['{tenant_id}_{stream}', 'stream', 'acme_acme-eu_orders'],
    ['{tenant_id}/of/{stream}', 'stream', 'acme/of/acme-eu/orders'],
    ['t.{tenant_id}.n{namespace}_{topic}', 'topic', 't.acme.nacme-eu_orders'],
  ])('puts tenant, namespace and name into %s', (format, placeholder, expected) => {
    expect(parseNameTemplate(format, placeholder).apply(ACME, 'orders')).toBe(expected);
  });

  it('takes any name, also one that looks like a template', () => {
    const template = parseNameTemplate('tenant:{tenant_id}:{key}', 'key');
    for (const name of ['', ':', '{tenant_id}', '{namespace}', '{key}', 'tenant:bolt:x', '\u0000\r\n']) {
      const full = template.apply(ACME, name);
      expect(full).toBe(`tenant:acme:acme-eu:${name}`);
      expect(template.strip(ACME, full)).toBe(name);
    }
  });

  it('gives no two namespaces a name in common, whatever their ids and names are', () => {
    const owners = fc.tuple(IDS, IDS, NAMES);
    const property = fc.property(fc.constantFrom(...FORMATS), owners, owners, (format, one, other) => {
      const template = parseNameTemplate(format, 'key');
      const otherOwner = owner(other[0], other[1]);
      const full = template.apply(owner(one[0], one[1]), one[2]);
      const isSame = one[0] === other[0] && one[1] === other[1];
      expect({
        isSameName: full === template.apply(otherOwner, other[2]),
        stripped: template.strip(otherOwner, full),
        isOfTenant: full.startsWith(template.tenantPrefix(otherOwner.tenantId)),
      }).toEqual({
        isSameName: isSame && one[2] === other[2],
        stripped: isSame ? one[2] : undefined,
        isOfTenant: one[0] === other[0],
      });
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it.each(HOSTILE)('is never given %j as a tenant or a namespace', (text) => {
    expect(() => owner(text)).toThrow(InvalidIdentifierError);
    expect(() => owner('a', text)).toThrow(InvalidIdentifierError);
  });

  it.each([
    '',
    '{key}',
    'tenant:{tenant_id}',
    '{key}:{tenant_id}',
    '{namespace}:{key}',
    '{namespace}:{tenant_id}:{key}',
    '{tenant_id}{key}',
    '{tenant_id}{namespace}:{key}',
    '{tenant_id}:{namespace}{key}',
    '{tenant_id}:{namespace}-{key}',
    '{tenant_id}:{namespace}:{namespace}:{key}',
    '{tenant_id}-{key}',
    '{tenant_id}x:{key}',
    '{tenant_id}:{tenant_id}:{key}',
    '{tenant_id}:{key}:{key}',
    '{tenant_id}:{key}:',
    '{tenant_id}:{other}:{key}',
    '{tenant_id}:}{key}',
    '{tenant_id}: {key}',
    '{tenant_id}:\r\n{key}',
    'mandant-ä:{tenant_id}:{key}',
    `${'x'.repeat(200)}:{tenant_id}:{key}`,
  ])('rejects %j', (format) => {
    expect(() => parseNameTemplate(format, 'key')).toThrow(InvalidSettingsError);
  });
});

describe(tenantValue.name, () => {
  it('is the tenant’s id for the namespace of the same name, and says the namespace for others', () => {
    expect([tenantValue(owner('acme')), tenantValue(ACME)]).toEqual(['acme', 'acme/acme-eu']);
  });

  it('is the same for no two namespaces', () => {
    const property = fc.property(IDS, IDS, IDS, IDS, (tenant, namespace, otherTenant, otherNamespace) => {
      const [one, other] = [owner(tenant, namespace), owner(otherTenant, otherNamespace)];
      const isSame = tenant === otherTenant && namespace === otherNamespace;
      expect([tenantValue(one) === tenantValue(other), tenantValue(one).split('/')[0]]).toEqual([isSame, tenant]);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});
