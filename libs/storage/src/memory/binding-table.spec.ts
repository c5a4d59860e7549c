import { describe, expect, it } from '@jest/globals';
import { formatResourceId, parseNamespaceId, parseProviderId } from '@palisade/domain';
import { BindingTable, type StoredBinding } from './binding-table.js';

const provider = parseProviderId('p');
const binding: StoredBinding = {
  namespace: parseNamespaceId('orders'),
  boundSubject: formatResourceId('Group', provider, 'g'),
  relation: 'read',
  source: 'manual',
  approvedBy: 'root',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  isSuspended: false,
};

describe(BindingTable.name, () => {
  it('finds a binding by its key and by its group', () => {
    const table = new BindingTable();
    table.set(provider, binding);

    expect(table.find(binding)).toEqual(binding);
    expect(table.find({ ...binding, relation: 'write' })).toBeUndefined();
    expect(table.ofGroup(binding.boundSubject)).toEqual([binding]);
  });

  it('keeps nothing of a group whose last binding is removed', () => {
    const table = new BindingTable();
    table.set(provider, binding);
    table.set(provider, { ...binding, relation: 'write' });

    expect(table.delete(provider, binding)).toBe(true);
    expect(table.delete(provider, { ...binding, relation: 'write' })).toBe(true);
    expect(table.delete(provider, binding)).toBe(false);

    expect(table).toEqual(new BindingTable());
  });
});
