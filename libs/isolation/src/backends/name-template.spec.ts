import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import { parseNameTemplate } from './name-template.js';

const ACME = parseNamespaceId('acme');
const ACME2 = parseNamespaceId('acme2');

describe(parseNameTemplate.name, () => {
  it.each([
    ['tenant:{tenant_id}:{key}', 'key', 'tenant:acme:orders'],
    ['tenant.{tenant_id}.{subject}', 'subject', 'tenant.acme.orders'],
    ['{tenant_id}.{topic}', 'topic', 'acme.orders'],
    ['{tenant_id}_{stream}', 'stream', 'acme_orders'],
  ])('puts a name into %s', (format, placeholder, expected) => {
    expect(parseNameTemplate(format, placeholder).apply(ACME, 'orders')).toBe(expected);
  });

  it('takes any name, also one that looks like a template', () => {
    const template = parseNameTemplate('tenant:{tenant_id}:{key}', 'key');
    for (const name of ['', ':', '{tenant_id}', '{key}', 'tenant:bolt:x', '\u0000\r\n']) {
      const full = template.apply(ACME, name);
      expect(full).toBe(`tenant:acme:${name}`);
      expect(template.strip(ACME, full)).toBe(name);
    }
  });

  it('tells what is not the tenant’s', () => {
    const template = parseNameTemplate('tenant:{tenant_id}:{key}', 'key');
    expect(template.strip(ACME, template.apply(ACME2, 'x'))).toBeUndefined();
    expect(template.strip(ACME2, template.apply(ACME, '2:x'))).toBeUndefined();
    expect(template.strip(ACME, 'tenant:acme')).toBeUndefined();
  });

  it.each([
    '',
    '{key}',
    'tenant:{tenant_id}',
    '{key}:{tenant_id}',
    '{tenant_id}{key}',
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
