import { RESOURCE_KINDS, type Resource } from '../transfer/resource-kind.js';
import { randomFrom } from './random.js';

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
/** Of the numbers in names: so they sort as they count. */
const DIGITS = 6;
/** Keeps the streams of numbers for users and for groups apart. */
const GROUP_STREAM = 0x9e3779b9;

/** Users that are the same for the same seed; more of them begin with the same ones. */
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

/** Groups of those users, which `identify` turns from external ids into identifiers. */
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
