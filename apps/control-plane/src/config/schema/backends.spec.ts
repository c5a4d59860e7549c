import { describe, expect, it } from '@jest/globals';
import { findFormatFault, NAMED_BACKENDS } from './backends.js';

describe(findFormatFault.name, () => {
  it.each([
    ['redis', 'tenant:{tenant_id}:{key}'],
    ['redis', '{tenant_id}/{key}'],
    ['redis', 'app|{tenant_id}|v1|{key}'],
    ['nats', 'tenant.{tenant_id}.{subject}'],
    ['nats', '{tenant_id}.{subject}'],
    ['nats', 'a.b.{tenant_id}.v1.{subject}'],
    ['kafka', '{tenant_id}.{topic}'],
    ['kafka', 'prod-{tenant_id}_{topic}'],
    ['redis', 'tenant:{tenant_id}:{namespace}:{key}'],
    ['nats', 'tenant.{tenant_id}.v1.{namespace}.{subject}'],
    ['kafka', '{tenant_id}.{namespace}_{topic}'],
  ] as const)('finds none with %s in %s', (kind, format) => {
    expect(findFormatFault(format, NAMED_BACKENDS[kind])).toBeUndefined();
  });

  it.each([
    ['redis', '{tenant_id}:{key}:{key}'],
    ['redis', '{tenant_id}:{subject}'],
    ['redis', '{tenant_id}:{key}:suffix'],
    ['redis', '{tenant_id}{key}'],
    ['redis', '{tenant_id}-{key}'],
    ['redis', '{tenant_id}x:{key}'],
    ['redis', '*{tenant_id}:{key}'],
    ['redis', 'a b:{tenant_id}:{key}'],
    ['redis', '{tenant_id}:\n{key}'],
    ['redis', '{x}{tenant_id}:{key}'],
    ['redis', '{namespace}:{tenant_id}:{key}'],
    ['redis', '{tenant_id}{namespace}:{key}'],
    ['redis', '{tenant_id}:{namespace}{key}'],
    ['redis', '{tenant_id}:{namespace}-{key}'],
    ['redis', '{tenant_id}:{namespace}:{namespace}:{key}'],
    ['nats', '{tenant_id}.n{namespace}.{subject}'],
    ['kafka', '{tenant_id}.{namespace}:{topic}'],
    ['nats', '{tenant_id}.>.{subject}'],
    ['nats', '.{tenant_id}.{subject}'],
    ['nats', 'a..{tenant_id}.{subject}'],
    ['nats', 'a{tenant_id}.{subject}'],
    ['nats', '{tenant_id}.a{subject}'],
    ['nats', '_INBOX.{tenant_id}.{subject}'],
    ['nats', '$JS.{tenant_id}.{subject}'],
    ['kafka', '{tenant_id}:{topic}'],
    ['kafka', '.{tenant_id}.{topic}'],
    ['kafka', 'a/{tenant_id}.{topic}'],
  ] as const)('finds one with %s in %j', (kind, format) => {
    expect(findFormatFault(format, NAMED_BACKENDS[kind])).toBeDefined();
  });

  it.each(['redis', 'nats', 'kafka'] as const)('lets no tenant of %s have the beginning of another one', (kind) => {
    const backend = NAMED_BACKENDS[kind];
    const accepted = allTexts().flatMap((before) =>
      allTexts()
        .filter(
          (between) => findFormatFault(`${before}{tenant_id}${between}${backend.variable}`, backend) === undefined,
        )
        .map((between) => [before, between] as const),
    );
    const tenants = ['a', 'a1', 'a-a', 'aa', '1', '1-a'];
    const shared = accepted.flatMap(([before, between]) => {
      const beginnings = tenants.map((tenant) => before + tenant + between);
      return beginnings.filter((one) => beginnings.some((other) => other !== one && other.startsWith(one)));
    });
    expect([accepted.length >= 3, shared]).toEqual([true, []]);
  });
});

/** Up to two of the characters that formats are made of. */
function allTexts(): readonly string[] {
  const characters = ['', 'a', '1', '-', '_', ':', '.', '/', '|'];
  return [...new Set(characters.flatMap((first) => characters.map((second) => first + second)))];
}
