import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import * as fc from 'fast-check';
import { InvalidNameError } from '../backend.errors.js';
import { NatsNames, SubjectSpace } from './subject-space.js';

const NAMES = new NatsNames({});
const ACME = NAMES.of(parseNamespaceId('acme'));
const ACME2 = NAMES.of(parseNamespaceId('acme2'));

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
        expect(subject).toBe(`tenant.acme.${text}`);
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
        const [first, second, ...tokens] = pattern.split('.');
        expect([first, second]).toEqual(['tenant', 'acme']);
        expect(tokens.slice(0, -1).every((token) => token === '*' || /^[^\s*>]+$/.test(token))).toBe(true);
        expect(tokens.at(-1)).toMatch(/^(?:\*|>|[^\s*>]+)$/);
      }),
    );
  });

  it.each([
    ['_INBOX_acme.x', true],
    ['tenant.acme.x', true],
    ['_INBOX_acme', false],
    ['_INBOX_acme2.x', false],
    ['_INBOX.x', false],
    ['tenant.acme2.x', false],
    ['$JS.API.INFO', false],
  ])('knows whether %s is where its own wait for replies: %j', (subject, isOwn) => {
    expect(ACME.isOwnReply(subject, '_INBOX_acme')).toBe(isOwn);
  });

  it('names streams and consumers so that those of others have other names', () => {
    expect(ACME.stream('orders')).toBe('acme_orders');
    expect(ACME.stream('2_orders', 'consumer')).toBe('acme_2_orders');
    expect(ACME2.stream('orders')).toBe('acme2_orders');
  });
});
