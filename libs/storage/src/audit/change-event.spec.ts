import { describe, expect, it } from '@jest/globals';
import { formatResourceId, parseNamespaceId, parseProviderId, type ChangeContext } from '@palisade/domain';
import { bindingEvent, membershipRemovedEvent, providerEvent, resourceEvent, tokenEvent } from './change-event.js';

const provider = parseProviderId('acme');
const user = formatResourceId('User', provider, 'u1');
const group = formatResourceId('Group', provider, 'g1');
const change: ChangeContext = { actor: 'token:t1', requestId: 'r1', at: new Date('2026-01-01T00:00:00Z') };
const common = { at: change.at, actor: 'token:t1', requestId: 'r1', result: 'success', provider: 'acme' };

describe(resourceEvent.name, () => {
  it('names the kind of resource in the action', () => {
    expect(resourceEvent(change, 'create', provider, user)).toEqual({
      ...common,
      action: 'user.create',
      resource: 'user:scim:acme:u1',
    });
    expect(resourceEvent(change, 'delete', provider, group)).toMatchObject({ action: 'group.delete' });
  });

  it('counts members when there are changes of them', () => {
    expect(resourceEvent(change, 'update', provider, group, { added: 2, removed: 0 })).toMatchObject({
      action: 'group.update',
      detail: { membersAdded: 2, membersRemoved: 0 },
    });
    expect(resourceEvent(change, 'update', provider, group, { added: 0, removed: 0 })).not.toHaveProperty('detail');
  });

  it('has no request id when the change has none', () => {
    const { actor, at } = change;

    expect(resourceEvent({ actor, at }, 'create', provider, user)).not.toHaveProperty('requestId');
  });
});

describe(membershipRemovedEvent.name, () => {
  it('is about the group and names the member', () => {
    expect(membershipRemovedEvent(change, provider, group, user)).toEqual({
      ...common,
      action: 'membership.remove',
      resource: 'group:scim:acme:g1',
      detail: { member: 'user:scim:acme:u1' },
    });
  });
});

describe(bindingEvent.name, () => {
  it('names the binding as a relationship and gives its namespace', () => {
    const key = { namespace: parseNamespaceId('orders'), boundSubject: group, relation: 'write' } as const;

    expect(bindingEvent(change, 'add', provider, key)).toEqual({
      ...common,
      action: 'binding.add',
      resource: 'namespace:orders#write@group:scim:acme:g1',
      namespace: 'orders',
    });
  });
});

describe(providerEvent.name, () => {
  it('is about the provider', () => {
    expect(providerEvent(change, 'update', provider)).toEqual({
      ...common,
      action: 'provider.update',
      resource: 'provider:acme',
    });
  });
});

describe(tokenEvent.name, () => {
  it('names the token by its id and nothing of its secret', () => {
    const token = { id: 't1', provider, digest: 'secret', hint: 'wxyz' };

    expect(tokenEvent(change, 'revoke', token)).toEqual({ ...common, action: 'token.revoke', resource: 'token:t1' });
  });
});
