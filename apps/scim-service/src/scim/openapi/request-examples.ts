import type { ExamplesObject } from '@nestjs/swagger';
import { formatResourceId, parseProviderId, type ResourceType } from '@palisade/domain';
import {
  BULK_REQUEST_URN,
  ENTERPRISE_USER_URN,
  GROUP_URN,
  PATCH_OP_URN,
  SEARCH_REQUEST_URN,
  USER_URN,
} from '@palisade/scim';

export const EXAMPLE_PROVIDER = parseProviderId('default');
/** What the first examples create, by external id. */
export const EXAMPLE_IDS: Readonly<Record<ResourceType, string>> = { User: 'ada', Group: 'eng' };
const ADA = formatResourceId('User', EXAMPLE_PROVIDER, EXAMPLE_IDS.User);

export const NEW_USER = {
  schemas: [USER_URN, ENTERPRISE_USER_URN],
  externalId: EXAMPLE_IDS.User,
  userName: 'ada@example.com',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  displayName: 'Ada Lovelace',
  title: 'Analyst',
  active: true,
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  [ENTERPRISE_USER_URN]: { employeeNumber: '1815', department: 'Engines' },
};

export const NEW_GROUP = { schemas: [GROUP_URN], externalId: EXAMPLE_IDS.Group, displayName: 'Engineers' };
export const NEW_GROUP_WITH_MEMBERS = { ...NEW_GROUP, members: [{ value: ADA }] };

/**
 * Bodies of requests. Sent in this order to an empty provider `default` each succeeds, the second and later ones of a
 * create as repeated creates.
 */
export const REQUEST_EXAMPLES = {
  create: {
    User: {
      person: { summary: 'A user with the enterprise extension', value: NEW_USER },
      minimal: { summary: 'Only what is required', value: { schemas: [USER_URN], userName: 'grace@example.com' } },
    },
    Group: {
      empty: { summary: 'Without members, as most identity providers begin', value: NEW_GROUP },
      members: { summary: 'With a member, by id', value: NEW_GROUP_WITH_MEMBERS },
    },
  },
  search: {
    User: search({ filter: 'emails[type eq "work" and value ew "@example.com"]', attributes: ['userName', 'emails'] }),
    Group: search({ filter: 'displayName sw "Eng"', excludedAttributes: ['members'] }),
    all: search({ filter: 'meta.lastModified ge "2026-01-01T00:00:00Z"', count: 10 }),
  },
  replace: {
    User: {
      changed: {
        summary: 'A changed name, and no title any more',
        value: {
          schemas: [USER_URN],
          userName: 'ada@example.com',
          name: { givenName: 'Ada', familyName: 'King' },
          title: null,
        },
      },
    },
    Group: {
      members: {
        summary: 'Another name, and exactly these members',
        value: { schemas: [GROUP_URN], displayName: 'Engineering', members: [{ value: ADA }] },
      },
    },
  },
  patch: {
    User: {
      deactivate: patch('Deactivate', { op: 'replace', path: 'active', value: false }),
      attributes: patch(
        'Change single values',
        { op: 'replace', path: 'name.familyName', value: 'King' },
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'ada.king@example.com' },
        { op: 'add', path: `${ENTERPRISE_USER_URN}:costCenter`, value: '4130' },
        { op: 'remove', path: 'title' },
      ),
      pathless: patch('Several attributes at once', {
        op: 'replace',
        value: { active: true, displayName: 'Ada King' },
      }),
    },
    Group: {
      add: patch('Add a member', { op: 'add', path: 'members', value: [{ value: ADA }] }),
      remove: patch('Remove a member', { op: 'remove', path: `members[value eq "${ADA}"]` }),
      rename: patch('Rename', { op: 'replace', path: 'displayName', value: 'Engineering' }),
    },
  },
  bulk: {
    team: {
      summary: 'A user, and a group with this user',
      value: {
        schemas: [BULK_REQUEST_URN],
        failOnErrors: 1,
        Operations: [
          {
            method: 'POST',
            path: '/Users',
            bulkId: 'alan',
            data: { schemas: [USER_URN], externalId: 'alan', userName: 'alan@example.com' },
          },
          {
            method: 'POST',
            path: '/Groups',
            bulkId: 'crypto',
            data: {
              schemas: [GROUP_URN],
              externalId: 'crypto',
              displayName: 'Cryptography',
              members: [{ value: 'bulkId:alan' }],
            },
          },
        ],
      },
    },
  },
} as const satisfies {
  readonly create: Readonly<Record<ResourceType, ExamplesObject>>;
  readonly search: Readonly<Record<ResourceType | 'all', ExamplesObject>>;
  readonly replace: Readonly<Record<ResourceType, ExamplesObject>>;
  readonly patch: Readonly<Record<ResourceType, ExamplesObject>>;
  readonly bulk: ExamplesObject;
};

function search(query: object): ExamplesObject {
  return { query: { summary: 'A filter and a selection', value: { schemas: [SEARCH_REQUEST_URN], ...query } } };
}

function patch(summary: string, ...operations: readonly object[]) {
  return { summary, value: { schemas: [PATCH_OP_URN], Operations: operations } };
}
