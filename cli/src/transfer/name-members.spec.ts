import { describe, expect, it } from '@jest/globals';
import type { InputRecord } from './input-file.js';
import { nameMembers } from './name-members.js';
import { START } from './records.js';

describe(nameMembers.name, () => {
  async function name(members: unknown, fromProvider?: string): Promise<unknown> {
    async function* records(): AsyncGenerator<InputRecord> {
      yield { number: 1, line: 1, end: START, resource: { displayName: 'G', members } };
    }
    for await (const { resource } of nameMembers(records(), 'p', fromProvider)) {
      return resource?.['members'];
    }
    return undefined;
  }

  it('takes what is no identifier for the external id of a user', async () => {
    expect(await name([{ value: 'a:b' }])).toEqual([{ value: 'user:scim:p:a:b' }]);
  });

  it('takes it for that of a group when the member is one', async () => {
    expect(await name([{ value: 'g', type: 'Group' }])).toEqual([{ value: 'group:scim:p:g', type: 'Group' }]);
  });

  it.each([[[{ value: 'user:scim:q:a' }]], [[{ value: '' }, null, 'a', {}]], ['a'], [undefined]])(
    'leaves %j as it is',
    async (members) => {
      expect(await name(members)).toEqual(members);
    },
  );

  it('puts the provider in the place of the one that the file is from, and of no other', async () => {
    const members = [{ value: 'user:scim:q:a:b' }, { value: 'group:scim:q:g' }, { value: 'user:scim:r:a' }];
    expect(await name(members, 'q')).toEqual([
      { value: 'user:scim:p:a:b' },
      { value: 'group:scim:p:g' },
      { value: 'user:scim:r:a' },
    ]);
  });

  it('leaves everything as it is without a provider', async () => {
    async function* records(): AsyncGenerator<InputRecord> {
      yield { number: 1, line: 1, end: START, resource: { members: [{ value: 'a' }] } };
    }
    for await (const { resource } of nameMembers(records(), undefined)) {
      expect(resource).toEqual({ members: [{ value: 'a' }] });
    }
  });
});
