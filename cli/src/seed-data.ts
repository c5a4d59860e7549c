import { RESOURCE_KINDS, type Resource } from './transfer/resource-kind.js';

const GIVEN_NAMES = [
  'Ada',
  'Amir',
  'Chloé',
  'Dmitri',
  'Emeka',
  'Grace',
  'Ines',
  'Jürgen',
  'Linh',
  'Mei',
  'Noor',
  'Yuki',
];
const FAMILY_NAMES = ['Álvarez', 'Brown', 'Chen', 'Diallo', 'Fischer', 'Haddad', 'Ito', 'Kowalski', 'Nguyen', 'Okafor'];
const TITLES = ['Accountant', 'Analyst', 'Developer', 'Director', 'Engineer', 'Manager'];
const AREAS = ['Data', 'Finance', 'Operations', 'Platform', 'Sales', 'Security', 'Support'];
const INACTIVE_SHARE = 0.05;
const MAX_MEMBERS = 50;
/** Digits of the numbers in names, so that names sort in the order of their numbers. */
const DIGITS = 6;
/** Keeps the random numbers for users and for groups apart. */
const GROUP_STREAM = 0x9e3779b9;

/** Users that are the same for the same seed; a larger count only adds further ones. */
export function* seedUsers(seed: number, count: number): Generator<Resource> {
  const random = randomFrom(seed);
  for (let index = 1; index <= count; index++) {
    const [givenName, familyName, title] = [
      pick(GIVEN_NAMES, random),
      pick(FAMILY_NAMES, random),
      pick(TITLES, random),
    ];
    const externalId = userName(seed, index);
    const mail = `${externalId}@example.com`;
    yield {
      schemas: [RESOURCE_KINDS.users.schema],
      externalId,
      userName: mail,
      displayName: `${givenName} ${familyName}`,
      name: { givenName, familyName },
      title,
      active: random() >= INACTIVE_SHARE,
      emails: [{ value: mail, type: 'work', primary: true }],
    };
  }
}

/** Groups of those users; `identify` turns the users' external ids into identifiers. */
export function* seedGroups(
  seed: number,
  count: number,
  users: number,
  identify: (externalId: string) => string,
): Generator<Resource> {
  const random = randomFrom(seed ^ GROUP_STREAM);
  for (let index = 1; index <= count; index++) {
    const members = new Set<number>();
    const wanted = Math.min(users, Math.floor(random() * MAX_MEMBERS) + 1);
    for (let draw = 0; draw < wanted; draw++) {
      members.add(Math.floor(random() * users) + 1);
    }
    yield {
      schemas: [RESOURCE_KINDS.groups.schema],
      externalId: `seed-${seed}-group-${padded(index)}`,
      displayName: `${pick(AREAS, random)} ${index}`,
      ...(users > 0 && { members: [...members].map((user) => ({ value: identify(userName(seed, user)) })) }),
    };
  }
}

function userName(seed: number, index: number): string {
  return `seed-${seed}-user-${padded(index)}`;
}

function padded(index: number): string {
  return String(index).padStart(DIGITS, '0');
}

function pick(words: readonly string[], random: () => number): string {
  return words[Math.floor(random() * words.length)] ?? '';
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). For demonstration data only: they are predictable. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
