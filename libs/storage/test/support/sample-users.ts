import type { JsonObject } from '@palisade/domain';
import { ENTERPRISE_USER_URN } from '@palisade/scim';
import { BADGE_URN } from './badge-extension.js';

/** Users that differ in everything that a filter can ask for; `dot` has nothing but a user name. */
export const SAMPLE_USERS: Readonly<Record<'ann' | 'bob' | 'cid' | 'dot', JsonObject>> = {
  ann: {
    externalId: 'A-1',
    userName: 'Ann@Example.com',
    displayName: 'Ann Lee',
    name: { givenName: 'Ann', familyName: 'Lee' },
    profileUrl: 'https://example.com/Ann',
    title: 'Chief',
    active: true,
    emails: [
      { value: 'Ann@Work.example', type: 'work', primary: true },
      { value: 'ann@home.example', type: 'home' },
    ],
    [ENTERPRISE_USER_URN]: { employeeNumber: '0701', department: 'Sales', manager: { value: 'boss' } },
    [BADGE_URN]: {
      label: 'Red Badge',
      code: 'AbC',
      level: 9,
      weight: 1.5,
      lost: false,
      issued: '2026-03-01T12:00:00+02:00',
      tags: ['Red', 'blue'],
      floors: [1, 12],
      visits: [
        { value: 'Lab', at: '2026-03-02T08:00:00Z', minutes: 5 },
        { value: 'Hall', at: '2026-03-03T08:00:00Z', minutes: 50, primary: true },
      ],
    },
  },
  bob: {
    externalId: 'b-2',
    userName: 'bob@example.com',
    displayName: 'Bob',
    name: { givenName: 'Bob' },
    title: 'chief of staff',
    active: false,
    emails: [
      { value: 'bob@work.example', type: 'home' },
      { value: 'bob@home.example', type: 'work', primary: false },
    ],
    [ENTERPRISE_USER_URN]: { employeeNumber: '0702', manager: { displayName: 'ignored' } },
    [BADGE_URN]: { code: 'abc', level: 10, weight: -0.25, lost: true, issued: '2026-03-01T10:00:00.001Z', floors: [7] },
  },
  cid: {
    userName: 'Cid',
    title: '',
    name: { formatted: '' },
    emails: [{ type: 'work' }, { value: '' }],
    [BADGE_URN]: { level: -1, weight: 1e21, tags: ['\u{1F600}', '\uFA0E'] },
  },
  dot: { userName: 'Dot' },
};
