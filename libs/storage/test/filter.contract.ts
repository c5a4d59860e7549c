import { beforeAll, describe, expect, it } from '@jest/globals';
import { BADGE_URN } from './support/badge-extension.js';
import { SAMPLE_USERS } from './support/sample-users.js';
import { changeAt } from './support/store-harness.js';
import type { TestDirectory } from './support/test-directory.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Which resources a filter selects. */
export function describeFilterContract(createDirectory: () => TestDirectory): void {
  describe('filters', () => {
    let directory: TestDirectory;

    beforeAll(async () => {
      directory = createDirectory();
      for (const [name, body] of Object.entries(SAMPLE_USERS)) {
        await directory.create('User', name, body);
      }
    });

    it.each(USER_FILTERS)('[RFC7644-3.4.2.2] selects users by %s', async (filter, expected) => {
      expect(await directory.usersWhere(filter)).toEqual(expected);
    });
  });

  describe('filters on what the store derives', () => {
    let directory: TestDirectory;

    /** Group `inner` has ann and bob, `outer` has `inner` and cid, `later` has a user that does not exist. */
    beforeAll(async () => {
      directory = createDirectory();
      const ann = await directory.createUser('ann', { displayName: 'Ann Lee' });
      const bob = await directory.createUser('bob');
      const cid = await directory.createUser('cid');
      const inner = await directory.createGroup('inner', [ann.id, bob.id]);
      await directory.createGroup('outer', [inner.id, cid.id]);
      await directory.createGroup('later', [directory.userId('nobody')], { unknownMembers: 'accept' });
      await directory.createGroup('empty');
      await directory.store.directory.deactivateUser(directory.provider, 'bob', changeAt(30));
    });

    it.each(GROUP_FILTERS)('[RFC7644-3.4.2.2] selects groups by %s', async (filter, expected) => {
      expect(await directory.groupsWhere(withProvider(filter, directory))).toEqual(expected);
    });

    it.each(DERIVED_USER_FILTERS)('[RFC7644-3.4.2.2] selects users by %s', async (filter, expected) => {
      expect(await directory.usersWhere(withProvider(filter, directory))).toEqual(expected);
    });
  });

  describe('filters with hostile values', () => {
    it.each(HOSTILE_TEXTS)('takes %j for nothing but itself, in every operator', async (text) => {
      const directory = createDirectory();
      const literal = JSON.stringify(text);
      await directory.createUser('exact', { title: text });
      await directory.createUser('inside', { title: `<${text}>` });
      await directory.createUser('ahead', { title: `${text}>` });
      await directory.createUser('behind', { title: `<${text}` });
      await directory.createUser('decoy', { title: 'abc' });
      await directory.createUser('absent');

      expect(await directory.usersWhere(`title eq ${literal}`)).toEqual(['exact']);
      expect(await directory.usersWhere(`title ne ${literal}`)).toEqual([
        'inside',
        'ahead',
        'behind',
        'decoy',
        'absent',
      ]);
      expect(await directory.usersWhere(`title co ${literal}`)).toEqual(['exact', 'inside', 'ahead', 'behind']);
      expect(await directory.usersWhere(`title sw ${literal}`)).toEqual(['exact', 'ahead']);
      expect(await directory.usersWhere(`title ew ${literal}`)).toEqual(['exact', 'behind']);
      expect(await directory.usersWhere(`title ge ${literal} and title le ${literal}`)).toEqual(['exact']);
    });

    it.each(HOSTILE_TEXTS)('finds the user whose userName and externalId are %j', async (text) => {
      const directory = createDirectory();
      const literal = JSON.stringify(text);
      await directory.create('User', 'hostile', { externalId: text, userName: text });
      await directory.createUser('decoy');

      expect(await directory.usersWhere(`userName eq ${literal} and externalId eq ${literal}`)).toEqual(['hostile']);
    });

    it('matches an empty text as every operator defines it', async () => {
      const directory = createDirectory();
      await directory.createUser('some', { title: 'x' });
      await directory.createUser('empty', { title: '' });
      await directory.createUser('absent');

      expect(await directory.usersWhere('title eq ""')).toEqual(['empty']);
      expect(await directory.usersWhere('title co ""')).toEqual(['some', 'empty']);
      expect(await directory.usersWhere('title sw ""')).toEqual(['some', 'empty']);
      expect(await directory.usersWhere('title ew ""')).toEqual(['some', 'empty']);
      expect(await directory.usersWhere('title gt ""')).toEqual(['some']);
    });

    it('finds parts of a text of 65,536 characters', async () => {
      const directory = createDirectory();
      await directory.createUser('long', { title: `${'x'.repeat(65_532)}tail` });

      expect(await directory.usersWhere('title ew "tail"')).toEqual(['long']);
    });
  });
}

function withProvider(filter: string, { provider }: TestDirectory): string {
  return filter.replaceAll('{p}', provider);
}

const HOSTILE_TEXTS = [
  '%',
  '_',
  '\\',
  '\\%',
  '*',
  '?',
  "'",
  "''",
  '"',
  '\\"',
  '$1',
  '$$',
  ';--',
  "' OR ''='",
  '[a-z]',
  '.*',
  '(',
  ')',
  '${x}',
  '{{x}}',
  '\u{1F600}',
  '\uFA0E',
  '\u2028',
  '\uFEFF',
  '__proto__',
  'constructor',
  'null',
  'true',
];

type Case = [filter: string, expected: string[]];

const USER_FILTERS: Case[] = [
  // Equality, folded where the attribute is not caseExact.
  ['userName eq "ann@example.COM"', ['ann']],
  ['USERNAME EQ "bob@example.com"', ['bob']],
  ['userName ne "ann@example.com"', ['bob', 'cid', 'dot']],
  ['externalId eq "A-1"', ['ann']],
  ['externalId eq "a-1"', []],
  ['externalId ne "A-1"', ['bob', 'cid', 'dot']],
  ['externalId pr', ['ann', 'bob']],
  ['displayName eq "bob"', ['bob']],
  ['profileUrl eq "https://example.com/Ann"', ['ann']],
  ['profileUrl eq "https://example.com/ann"', []],
  // Parts of texts.
  ['userName co "EXAMPLE"', ['ann', 'bob']],
  ['userName sw "b"', ['bob']],
  ['userName ew ".com"', ['ann', 'bob']],
  ['title sw "chief"', ['ann', 'bob']],
  ['externalId sw "a"', []],
  // Order, by code point of the folded text.
  ['userName gt "bob@example.com"', ['cid', 'dot']],
  ['userName ge "bob@example.com"', ['bob', 'cid', 'dot']],
  ['userName lt "bob@example.com"', ['ann']],
  ['userName le "bob@example.com"', ['ann', 'bob']],
  ['externalId lt "a"', ['ann']],
  // Presence: empty texts and empty nodes are not there, false is.
  ['title pr', ['ann', 'bob']],
  ['active pr', ['ann', 'bob']],
  ['name pr', ['ann', 'bob']],
  ['emails pr', ['ann', 'bob', 'cid']],
  ['emails.value pr', ['ann', 'bob']],
  [`${ENTERPRISE} pr`, ['ann', 'bob']],
  ['not (title pr)', ['cid', 'dot']],
  // Booleans.
  ['active eq true', ['ann']],
  ['active eq false', ['bob']],
  ['active ne true', ['bob', 'cid', 'dot']],
  // Attributes of complex attributes and of extensions.
  ['name.givenName eq "ANN"', ['ann']],
  ['name.familyName ne "lee"', ['bob', 'cid', 'dot']],
  [`${ENTERPRISE}:employeeNumber eq "0701"`, ['ann']],
  [`${ENTERPRISE}:department pr`, ['ann']],
  [`${ENTERPRISE}:manager.value eq "boss"`, ['ann']],
  ['urn:ietf:params:scim:schemas:core:2.0:User:title eq "CHIEF"', ['ann']],
  // Several values: any of them.
  ['emails.value eq "ANN@work.example"', ['ann']],
  ['emails co "home.example"', ['ann', 'bob']],
  ['emails.type eq "work" and emails.value ew "home.example"', ['ann', 'bob']],
  ['emails.primary eq true', ['ann']],
  ['emails.primary eq false', ['ann', 'bob', 'cid']],
  ['emails.primary ne true', ['ann', 'bob', 'cid', 'dot']],
  ['emails.type ne "work"', ['ann', 'bob', 'dot']],
  ['not (emails.type eq "work")', ['dot']],
  // One and the same element.
  ['emails[type eq "work" and value ew "home.example"]', ['bob']],
  ['emails[type eq "work" and value ew "work.example"]', ['ann']],
  ['emails[not (value pr)]', ['cid']],
  ['not (emails[type eq "home"])', ['cid', 'dot']],
  ['emails[type eq "home" or primary eq true]', ['ann', 'bob']],
  ['emails[primary ne true]', ['ann', 'bob', 'cid']],
  // Every type, in an extension.
  [`${BADGE_URN}:code eq "abc"`, ['bob']],
  [`${BADGE_URN}:code co "b"`, ['ann', 'bob']],
  [`${BADGE_URN}:code co "C"`, ['ann']],
  [`${BADGE_URN}:label eq "red badge"`, ['ann']],
  [`${BADGE_URN}:level eq 9`, ['ann']],
  [`${BADGE_URN}:level eq 9.0`, ['ann']],
  [`${BADGE_URN}:level gt 9`, ['bob']],
  [`${BADGE_URN}:level ge 9`, ['ann', 'bob']],
  [`${BADGE_URN}:level lt 9`, ['cid']],
  [`${BADGE_URN}:level ne 9`, ['bob', 'cid', 'dot']],
  [`${BADGE_URN}:weight le 1.5`, ['ann', 'bob']],
  [`${BADGE_URN}:weight eq 1e21`, ['cid']],
  [`${BADGE_URN}:lost eq false`, ['ann']],
  [`${BADGE_URN}:lost pr`, ['ann', 'bob']],
  [`${BADGE_URN}:issued eq "2026-03-01T10:00:00Z"`, ['ann']],
  [`${BADGE_URN}:issued gt "2026-03-01T11:00:00+01:00"`, ['bob']],
  [`${BADGE_URN}:issued le "2026-03-01T10:00:00.001Z"`, ['ann', 'bob']],
  [`${BADGE_URN}:tags eq "red"`, ['ann']],
  [`${BADGE_URN}:tags ne "red"`, ['ann', 'bob', 'cid', 'dot']],
  [`${BADGE_URN}:tags gt "\u{1F5FF}"`, ['cid']],
  [`${BADGE_URN}:tags gt "\u{1F600}"`, []],
  [`${BADGE_URN}:floors gt 10`, ['ann']],
  [`${BADGE_URN}:floors lt 5`, ['ann']],
  [`${BADGE_URN}:floors eq 7`, ['bob']],
  [`${BADGE_URN}:visits[value eq "lab" and minutes gt 10]`, []],
  [`${BADGE_URN}:visits[value eq "hall" and minutes gt 10]`, ['ann']],
  [`${BADGE_URN}:visits[at ge "2026-03-03T00:00:00Z"]`, ['ann']],
  [`${BADGE_URN}:visits.minutes eq 5 and ${BADGE_URN}:visits.value eq "hall"`, ['ann']],
  [`${BADGE_URN} pr`, ['ann', 'bob', 'cid']],
  // Logic, by precedence and by parentheses.
  ['title pr and active eq true', ['ann']],
  ['userName eq "dot" or title pr and active eq true', ['ann', 'dot']],
  ['(userName eq "dot" or title pr) and active eq true', ['ann']],
  ['title pr and active eq true or userName eq "dot"', ['ann', 'dot']],
  ['not (title pr and active eq true)', ['bob', 'cid', 'dot']],
  ['not (title pr or emails pr)', ['dot']],
  ['userName eq "ann@example.com" and not (active eq true)', []],
  ['userName eq "ann@example.com" and userName eq "bob@example.com"', []],
  ['userName eq "ann@example.com" or userName eq "bob@example.com"', ['ann', 'bob']],
  // Null and attributes that are not there.
  ['title eq null', ['cid', 'dot']],
  ['displayName ne null', ['ann', 'bob']],
  // Attributes of the resource as such.
  ['meta.resourceType eq "User"', ['ann', 'bob', 'cid', 'dot']],
  ['meta.resourceType eq "Group"', []],
  ['meta.created le "2026-01-01T00:00:00Z"', ['ann', 'bob', 'cid', 'dot']],
  ['meta.created gt "2026-01-01T00:00:00Z"', []],
  ['id pr', ['ann', 'bob', 'cid', 'dot']],
  ['id ew ":cid"', ['cid']],
  ['groups pr', []],
];

const GROUP_FILTERS: Case[] = [
  ['displayName eq "INNER"', ['inner']],
  ['id eq "group:scim:{p}:inner"', ['inner']],
  ['id eq "GROUP:scim:{p}:inner"', []],
  ['members.value eq "user:scim:{p}:ann"', ['inner']],
  ['members eq "group:scim:{p}:inner"', ['outer']],
  ['members.value eq "user:scim:{p}:nobody"', ['later']],
  ['members.value ne "user:scim:{p}:ann"', ['inner', 'outer', 'later', 'empty']],
  ['not (members.value eq "user:scim:{p}:ann")', ['outer', 'later', 'empty']],
  ['members[value eq "group:scim:{p}:inner" and type eq "Group"]', ['outer']],
  ['members[value eq "group:scim:{p}:inner" and type eq "User"]', []],
  ['members.type eq "user"', ['inner', 'outer', 'later']],
  ['members.type eq "Group"', ['outer']],
  ['members.display eq "ANN LEE"', ['inner']],
  ['members.display co "inn"', ['outer']],
  ['members[type eq "User" and not (display pr)]', ['later']],
  ['members.display sw "c"', ['outer']],
  ['members pr', ['inner', 'outer', 'later']],
  ['not (members pr)', ['empty']],
  ['id eq "group:scim:{p}:inner" and members eq "user:scim:{p}:ann"', ['inner']],
  ['id eq "group:scim:{p}:inner" and members eq "user:scim:{p}:cid"', []],
  ['externalId eq "outer" or members.display eq "bob"', ['inner', 'outer']],
];

const DERIVED_USER_FILTERS: Case[] = [
  ['id eq "user:scim:{p}:ann"', ['ann']],
  ['id ne "user:scim:{p}:ann"', ['bob', 'cid']],
  ['groups.value eq "group:scim:{p}:inner"', ['ann', 'bob']],
  ['groups.value eq "group:scim:{p}:outer"', ['ann', 'bob', 'cid']],
  ['groups eq "group:scim:{p}:empty"', []],
  ['groups.display co "NNE"', ['ann', 'bob']],
  ['groups[display eq "outer" and type eq "direct"]', ['cid']],
  ['groups[display eq "outer" and type eq "indirect"]', ['ann', 'bob']],
  ['groups.type eq "Direct"', ['ann', 'bob', 'cid']],
  ['not (groups.value eq "group:scim:{p}:inner")', ['cid']],
  ['groups pr', ['ann', 'bob', 'cid']],
  ['meta.lastModified eq "2026-01-01T00:00:30Z"', ['bob']],
  ['meta.lastModified gt "2026-01-01T00:00:29.999Z"', ['bob']],
  ['meta.lastModified lt "2026-01-01T01:00:30+01:00"', ['ann', 'cid']],
];
