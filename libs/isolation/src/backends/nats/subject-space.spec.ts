import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parseTenantId } from '@palisade/domain';
import * as fc from 'fast-check';
import { InvalidNameError } from '../backend.errors.js';
import { NatsNames, SubjectSpace } from './subject-space.js';

const NAMES = new NatsNames({});
const [ACME, ACME2] = ['eu', 'eu2'].map((namespace) =>
  NAMES.of({ tenantId: parseTenantId('acme'), namespace: parseNamespaceId(namespace) }),
) as [SubjectSpace, SubjectSpace];

/** What a caller may come up with: mostly characters that mean something to the protocol. */
const TEXTS = fc.string({
  unit: fc.oneof(
    fc.constantFrom('.', '*', '>', ' ', '\r', '\n', '\t', '\0', '$', 'a', 'b'),
    fc.string({ maxLength: 1 }),
  ),
  maxLength: 20,
});

describe(SubjectSpace.name, () => {
  it('makes of any text one subject of the namespace, or rejects it', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        let subject: string;
        try {
          subject = ACME.subject(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidNameError);
          return;
        }
        expect(subject).toBe(`tenant.acme.eu.${text}`);
        expect(subject).not.toMatch(/[\s*>\p{Cc}]|\.\.|\.$/u);
        expect([ACME.strip(subject), ACME2.strip(subject)]).toEqual([text, undefined]);
      }),
    );
  });

  it('makes of any text subjects of the namespace, or rejects it', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        let pattern: string;
        try {
          pattern = ACME.subjectPattern(text);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidNameError);
          return;
        }
        const [first, second, third, ...tokens] = pattern.split('.');
        expect([first, second, third]).toEqual(['tenant', 'acme', 'eu']);
        expect(tokens.slice(0, -1).every((token) => token === '*' || /^[^\s*>]+$/.test(token))).toBe(true);
        expect(tokens.at(-1)).toMatch(/^(?:\*|>|[^\s*>]+)$/);
      }),
    );
  });

  it.each([
    ['_INBOX_acme.eu.x', true],
    ['tenant.acme.eu.x', true],
    ['_INBOX_acme.eu', false],
    ['_INBOX_acme.eu2.x', false],
    ['_INBOX_acme2.eu.x', false],
    ['_INBOX.x', false],
    ['tenant.acme.eu2.x', false],
    ['tenant.acme.x', false],
    ['$JS.API.INFO', false],
  ])('knows whether %s is where its own wait for replies: %j', (subject, isOwn) => {
    expect(ACME.isOwnReply(subject, '_INBOX_acme.eu')).toBe(isOwn);
  });

  it('names streams and consumers so that those of others have other names', () => {
    expect(ACME.stream('orders')).toBe('acme_eu_orders');
    expect(ACME.stream('2_orders', 'consumer')).toBe('acme_eu_2_orders');
    expect(ACME2.stream('orders')).toBe('acme_eu2_orders');
  });

  it('makes no name that the servers would reject for its length', () => {
    const label = 'x'.repeat(63);
    const space = NAMES.of({ tenantId: parseTenantId(label), namespace: parseNamespaceId(label) });
    expect(space.stream('y'.repeat(127))).toHaveLength(255);
    expect(() => space.stream('y'.repeat(128))).toThrow('at most 127 characters');
  });

  it.each([
    '{tenant_id}.{subject}',
    'a.{tenant_id}.{namespace}.{subject}',
    'a.{tenant_id}.b.n-{namespace}.c.{subject}',
  ])('takes %s for subjects', (subjectFormat) => {
    expect(new NatsNames({ subjectFormat })).toBeInstanceOf(NatsNames);
  });

  it.each(['{tenant_id}:{subject}', '{tenant_id}.{namespace}:{subject}', '{tenant_id}.*.{subject}'])(
    'rejects %s for subjects',
    (subjectFormat) => {
      expect(() => new NatsNames({ subjectFormat })).toThrow('subjectFormat');
    },
  );
});
