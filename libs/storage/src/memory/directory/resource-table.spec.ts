import { describe, expect, it } from '@jest/globals';
import { formatResourceId, parseProviderId, type JsonObject } from '@palisade/domain';
import { type ResourceRecord, ResourceTable } from './resource-table.js';

const provider = parseProviderId('p');

function recordOf(sequence: number, search: JsonObject, externalId?: string): ResourceRecord {
  return {
    provider,
    type: 'User',
    id: formatResourceId('User', provider, `u${sequence}`),
    sequence,
    createdAtMs: 0,
    modifiedAtMs: 0,
    version: 1,
    draft: { externalId, attributes: {}, search },
  };
}

describe(ResourceTable.name, () => {
  it('looks up by what it has an index for, in order of creation', () => {
    const table = new ResourceTable();
    const first = recordOf(1, { userName: 'ann', displayName: 'staff' }, 'e1');
    const second = recordOf(2, { userName: 'bob' });
    table.insert(first);
    table.insert(second);
    table.replaceDraft(second, { attributes: {}, search: { userName: 'bob', displayName: 'staff' } });
    table.replaceDraft(first, { ...first.draft });

    expect(table.lookUp('id', 'user:scim:p:u2')).toEqual([second]);
    expect(table.lookUp('externalId', 'e1')).toEqual([first]);
    expect(table.lookUp('userName', 'ann')).toEqual([first]);
    expect(table.lookUp('displayName', 'staff')).toEqual([first, second]);
    expect(table.lookUp('userName', 'nobody')).toEqual([]);
  });

  it('says when there is no index', () => {
    const table = new ResourceTable();

    expect(table.lookUp('title', 'chief')).toBeUndefined();
    expect(table.lookUp('constructor', 'x')).toBeUndefined();
  });

  it('keeps the order of creation when one in between is removed', () => {
    const table = new ResourceTable();
    const records = [1, 2, 3].map((sequence) => recordOf(sequence, { userName: `u${sequence}` }));
    records.forEach((record) => table.insert(record));

    records.slice(1, 2).forEach((record) => table.remove(record));

    expect(table.records.map(({ sequence }) => sequence)).toEqual([1, 3]);
  });

  it('keeps nothing of what is removed', () => {
    const table = new ResourceTable();
    const record = recordOf(1, { userName: 'ann', displayName: 'staff' }, 'e1');
    table.insert(record);
    table.replaceDraft(record, { externalId: 'e2', attributes: {}, search: { userName: 'eve', displayName: 'x' } });

    table.remove(record);

    expect(table).toEqual(new ResourceTable());
  });
});
