import { describe, expect, it } from '@jest/globals';
import { HANG_MS, runWithin } from '../../../domain/test/support/run-within.js';
import {
  PreconditionFailedError,
  type GroupId,
  type GroupMembership,
  type Member,
  type ProviderId,
  type StoredGroup,
  type StoredUser,
  type UserId,
} from '@palisade/domain';
import { checkBeforeChanging, checkBeforeReading, formatVersion, matchesVersion } from './version.js';

function createUser(overrides: Partial<StoredUser> = {}): StoredUser {
  return {
    type: 'User',
    id: 'user:scim:acme:1' as UserId,
    provider: 'acme' as ProviderId,
    version: 3,
    createdAt: new Date(0),
    modifiedAt: new Date(0),
    attributes: {},
    ...overrides,
  };
}

function createMembership(overrides: Partial<GroupMembership> = {}): GroupMembership {
  return { id: 'group:scim:acme:g' as GroupId, display: 'G', direct: true, ...overrides };
}

const grouped = createUser({ groups: [createMembership()] });

describe(formatVersion.name, () => {
  it('[RFC7643-3.1] gives a weak entity tag', () => {
    expect(formatVersion(createUser())).toBe('W/"3"');
  });

  it('gives the same tag for no groups as for groups that are not loaded', () => {
    expect(formatVersion(createUser({ groups: [] }))).toBe('W/"3"');
  });

  it('adds a fingerprint of the groups', () => {
    expect(formatVersion(grouped)).toMatch(/^W\/"3\.[\w-]{10}"$/);
    expect(formatVersion(createUser({ groups: [createMembership()] }))).toBe(formatVersion(grouped));
  });

  it.each([{ id: 'group:scim:acme:h' as GroupId }, { display: 'H' }, { direct: false }])(
    'changes when a group changes by %j',
    (change) => {
      expect(formatVersion(createUser({ groups: [createMembership(change)] }))).not.toBe(formatVersion(grouped));
    },
  );
});

describe('the entity tag of a group', () => {
  function createGroup(members?: readonly Member[]): StoredGroup {
    const { attributes, createdAt, modifiedAt, provider, version } = createUser();
    const own = { provider, version, createdAt, modifiedAt, attributes, memberCount: members?.length ?? 0 };
    return { type: 'Group', id: 'group:scim:acme:g' as GroupId, ...own, members };
  }

  it('is the version alone when members are not loaded', () => {
    expect(formatVersion(createGroup())).toBe('W/"3"');
  });

  it("changes with a member's display name", () => {
    const id = 'user:scim:acme:1' as UserId;
    const before = createGroup([{ id, display: 'Ada' }]);
    const after = createGroup([{ id, display: 'Ada L.' }]);
    expect(matchesVersion(formatVersion(before), before)).toBe(true);
    expect(matchesVersion(formatVersion(before), after)).toBe(false);
    expect(() => checkBeforeChanging({ ifMatch: formatVersion(before) }, after)).not.toThrow();
  });
});

describe(matchesVersion.name, () => {
  it.each(['W/"3"', '"3"', '*', ' * ', 'W/"1", W/"3"', '"a,b",W/"3"', ',W/"3",'])(
    '[RFC7644-3.14] finds version 3 in %s',
    (header) => {
      expect(matchesVersion(header, createUser())).toBe(true);
    },
  );

  it.each(['W/"2"', '"W/3"', 'W/"33"', 'W/"3.x"', '""'])('[RFC7644-3.14] does not find version 3 in %s', (header) => {
    expect(matchesVersion(header, createUser())).toBe(false);
  });

  it('compares the whole tag', () => {
    expect(matchesVersion(formatVersion(grouped), grouped)).toBe(true);
    expect(matchesVersion('W/"3"', grouped)).toBe(false);
  });

  it.each(['', ' ', ',', '3', 'W/3', 'w/"3"', 'W/"3', 'W/"3" W/"4"', '"3"x', '*, W/"3"', '"a b"', '"\u0100"'])(
    'rejects the malformed header %j',
    (header) => {
      expect(() => matchesVersion(header, createUser())).toThrow(
        expect.objectContaining({ status: 400, scimType: 'invalidSyntax' }),
      );
    },
  );

  it('reads a header of 64 KiB at once', () => {
    const user = createUser();

    expect(() => runWithin(HANG_MS, () => matchesVersion(`${' '.repeat(1_000_000)}x`, user))).toThrow('If-None-Match');
    expect(runWithin(HANG_MS, () => matchesVersion(`${'"1",'.repeat(250_000)}"3"`, user))).toBe(true);
  });
});

describe(checkBeforeReading.name, () => {
  it.each(['W/"3"', '"3"', '*', 'W/"2", W/"3"', 'W/"3.abcdefghij"'])(
    '[RFC7644-3.14] allows If-Match: %s',
    (ifMatch) => {
      expect(() => checkBeforeReading({ ifMatch }, grouped)).not.toThrow();
    },
  );

  it.each(['W/"2"', 'W/"2.abcdefghij"', 'W/".3"', '""', 'W/"3x"'])(
    '[RFC7644-3.14] does not allow If-Match: %s',
    (ifMatch) => {
      expect(() => checkBeforeReading({ ifMatch }, grouped)).toThrow(PreconditionFailedError);
    },
  );

  it('rejects a malformed header', () => {
    expect(() => checkBeforeReading({ ifMatch: '3' }, grouped)).toThrow(
      'If-Match: expected entity tags such as W/"1", found "3"',
    );
  });
});

describe(checkBeforeChanging.name, () => {
  it.each(['W/"3"', '"3"', '*', 'W/"2", W/"3"', 'W/"3.abcdefghij"'])(
    'does not allow If-None-Match: %s',
    (ifNoneMatch) => {
      expect(() => checkBeforeChanging({ ifNoneMatch }, grouped)).toThrow(PreconditionFailedError);
    },
  );

  it.each(['W/"2"', 'W/"4", W/"2"'])('allows If-None-Match: %s', (ifNoneMatch) => {
    expect(() => checkBeforeChanging({ ifNoneMatch }, grouped)).not.toThrow();
  });

  it('demands both when both are given', () => {
    expect(() => checkBeforeChanging({ ifMatch: 'W/"3"', ifNoneMatch: 'W/"2"' }, grouped)).not.toThrow();
    expect(() => checkBeforeChanging({ ifMatch: 'W/"2"', ifNoneMatch: 'W/"2"' }, grouped)).toThrow(
      PreconditionFailedError,
    );
  });
});
