import * as fc from 'fast-check';
import { ENTERPRISE_USER_URN } from '@palisade/scim';
import { BADGE_URN } from './badge-extension.js';

/**
 * Few texts, so that they often meet: equal but for case or composition, parts of each other, and such as SQL, LIKE,
 * regular expressions, JSON and UTF-16 treat specially.
 */
const WORDS = [
  '',
  'a',
  'A',
  'ab',
  'aB',
  'b',
  'é',
  'e\u0301',
  'É',
  '\u{1F600}',
  '\uFA0E',
  'a\u{1F600}',
  'a\uFA0E',
  '%',
  '_',
  'a%',
  'a_b',
  'axb',
  '\\',
  'a\\',
  '"',
  "'",
  '*',
  '.',
  ' ',
  '1',
  'true',
  'null',
  '2026-01-01T00:00:00.000Z',
];

export const texts = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...WORDS), maxLength: 3 }) },
);
export const integers = fc.constantFrom(-1, 0, 1, 9, 10, Number.MAX_SAFE_INTEGER);
export const decimals = fc.constantFrom(-1, 0, 1, 1.5, 0.1, 1e-7, 1e21);
export const dateTimes = fc.constantFrom(
  '2026-01-01T00:00:00Z',
  '2026-01-01T02:00:01+02:00',
  '2026-01-01T00:00:00.001Z',
  '2025-12-31T23:59:59Z',
);
export const references = fc.constantFrom(
  '',
  'a',
  'A',
  '%41',
  'a?b=%25',
  'https://example.com/A',
  'https://example.com/a',
);
const binaries = fc.constantFrom('QQ==', 'qq==', 'YWI=');

const emails = elements({ value: texts, type: texts, display: texts, primary: fc.boolean() });
const visits = elements({ value: texts, at: dateTimes, minutes: integers, primary: fc.boolean() });

const badges = partOf({
  label: texts,
  code: texts,
  level: integers,
  weight: decimals,
  lost: fc.boolean(),
  issued: dateTimes,
  photo: binaries,
  page: references,
  tags: fc.array(texts, { maxLength: 3 }),
  floors: fc.array(integers, { maxLength: 3 }),
  visits,
});

/** Bodies of create requests for users, without `userName` and `externalId`: anything may be absent or empty. */
export const userBodies = partOf({
  name: partOf({ givenName: texts, familyName: texts }),
  displayName: texts,
  title: texts,
  profileUrl: references,
  active: fc.boolean(),
  emails,
  [ENTERPRISE_USER_URN]: partOf({ department: texts, manager: partOf({ value: texts }) }),
  [BADGE_URN]: badges,
});

function partOf<T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.record(shape, { requiredKeys: [], noNullPrototype: true });
}

/** RFC 7643 §2.4: "The primary attribute value "true" MUST appear no more than once." */
function elements<T extends { primary: boolean }>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.array(partOf(shape), { maxLength: 3 }).map((list) => {
    const first = list.findIndex(({ primary }) => primary === true);
    return list.filter(({ primary }, index) => primary !== true || index === first);
  });
}
