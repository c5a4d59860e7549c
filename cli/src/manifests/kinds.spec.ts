import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { differences, KINDS, schemaOf, settable, type Kind, type KindName } from './kinds.js';

const kindOf = (name: KindName): Kind => KINDS.find((kind) => kind.name === name) as Kind;
const BODIES = {
  provider: 'CreateProviderBody',
  tenant: 'RegisterTenantBody',
  proxy: 'RegisterProxyBody',
  binding: 'AddBindingBody',
};

describe.each(KINDS.map((kind): [KindName, Kind] => [kind.name, kind]))('%s', (name, kind) => {
  it('has the fields of the API document (npm run docs)', () => {
    const path = join(import.meta.dirname, `../../../docs/openapi/${kind.service}.json`);
    const { components } = JSON.parse(readFileSync(path, 'utf8')) as {
      components: { schemas: Record<string, { properties: object; required: string[] }> };
    };
    const body = components.schemas[BODIES[name]];
    expect(Object.keys(schemaOf(kind).properties ?? {}).sort()).toEqual(Object.keys(body?.properties ?? {}).sort());
    expect(schemaOf(kind).required).toEqual(body?.required);
  });
});

describe(differences.name, () => {
  const compare = (name: KindName, one: object, other: object): string[] => {
    const kind = kindOf(name);
    return differences(kind, settable(kind, one as never), settable(kind, other as never));
  };

  it.each([
    ['the order of patterns', { namespace_patterns: ['b', 'a'] }, { namespace_patterns: ['a', 'b'] }],
    ['one pattern or a list of one', { namespace_pattern: 'a' }, { namespace_patterns: ['a'] }],
    [
      'the unit of memory',
      { resource_limits: { memory: '1024Mi', cpu: '500m' } },
      { resource_limits: { cpu: '0.5', memory: '1Gi' } },
    ],
    ['what the service adds', { tenant_id: 'a' }, { tenant_id: 'a', version: 2, routing: {} }],
  ])('finds none in %s', (_, wanted, current) => {
    expect(compare('tenant', wanted, current)).toEqual([]);
  });

  it('finds what an extension has not, and not what the service has added to it', () => {
    const current = { extensions: [{ schema: { id: 'a', name: 'a' }, required: false }] };
    expect(compare('provider', { extensions: [{ schema: { id: 'a' } }] }, current)).toEqual([]);
    expect(compare('provider', { extensions: [{ schema: { id: 'b' } }] }, current)).toEqual(['extensions']);
    expect(compare('provider', {}, current)).toEqual(['extensions']);
  });

  it('finds a field that is not said any more', () => {
    expect(compare('tenant', { namespace_pattern: 'a' }, { namespace_pattern: 'a', pool: 'p' })).toEqual(['pool']);
  });
});
