import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parseTenantId } from '@palisade/domain';
import { InvalidSettingsError } from '../../invalid-settings.error.js';
import { createTemplate } from './kafka-names.js';

const ACME = { tenantId: parseTenantId('acme'), namespace: parseNamespaceId('eu') };

describe(createTemplate.name, () => {
  it.each([
    [undefined, 'acme.eu.'],
    ['{tenant_id}.{topic}', 'acme.eu.'],
    ['prod.{tenant_id}_{topic}', 'prod.acme_eu_'],
  ])('reads %j', (format, prefix) => {
    expect(createTemplate({ type: 'topic_prefix', format }).prefix(ACME)).toBe(prefix);
  });

  it.each([
    '{topic}',
    '{topic}.{tenant_id}',
    '{tenant_id}{topic}',
    '{tenant_id}-{topic}',
    '{tenant_id}:{topic}',
    '{tenant_id}/{topic}',
    '__{tenant_id}.{topic}',
    `${'a'.repeat(128)}{tenant_id}.{topic}`,
  ])('rejects %j', (format) => {
    expect(() => createTemplate({ type: 'topic_prefix', format })).toThrow(InvalidSettingsError);
  });
});
