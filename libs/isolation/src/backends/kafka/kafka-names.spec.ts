import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parseTenantId } from '@palisade/domain';
import { createTemplate, KafkaNames, type KafkaSeparation } from './kafka-names.js';

function createNames(separation?: KafkaSeparation): KafkaNames {
  return new KafkaNames(createTemplate(separation), {
    tenantId: parseTenantId('acme'),
    namespace: parseNamespaceId('eu'),
  });
}

describe(KafkaNames.name, () => {
  it('puts names behind the prefix of the namespace', () => {
    const names = createNames();
    expect([names.topic('a.b_c-1'), names.group('g'), names.transaction('t')]).toEqual([
      'acme.eu.a.b_c-1',
      'acme.eu.g',
      'acme.eu.t',
    ]);
  });

  it('leaves names as they are when the namespace has a cluster of its own', () => {
    const names = createNames({ type: 'physical' });
    expect([names.topic('orders'), names.prefix]).toEqual(['orders', '']);
  });

  it.each(['', '.', '..', '.a', 'a.', 'a..b', 'a b', 'a:b', 'a*', 'ä', 'a\n', 'a\u0000'])('rejects %j', (name) => {
    expect(() => createNames().topic(name)).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }));
  });

  it('bounds the length of what the cluster is told', () => {
    const names = createNames();
    expect(names.topic('a'.repeat(241))).toHaveLength(249);
    expect(() => names.topic('a'.repeat(242))).toThrow('Kafka topic: expected at most 241 characters');
  });

  it('rejects what is Kafka’s own', () => {
    expect(createNames().topic('__consumer_offsets')).toBe('acme.eu.__consumer_offsets');
    expect(() => createNames({ type: 'physical' }).topic('__consumer_offsets')).toThrow("which is Kafka's own");
  });

  it('rejects what is no text', () => {
    expect(() => createNames().topic(['a'] as unknown as string)).toThrow('Kafka topic: expected a text');
  });
});
