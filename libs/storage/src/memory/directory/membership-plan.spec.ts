import { describe, expect, it } from '@jest/globals';
import { formatResourceId, parseProviderId } from '@palisade/domain';
import { MembershipPlan } from './membership-plan.js';
import { ProviderDirectory } from './provider-directory.js';

const provider = parseProviderId('p');
const group = formatResourceId('Group', provider, 'g');
const ann = formatResourceId('User', provider, 'ann');
const bob = formatResourceId('User', provider, 'bob');

describe(MembershipPlan.name, () => {
  it('changes nothing before it is committed', () => {
    const directory = new ProviderDirectory(provider);
    const plan = new MembershipPlan(directory, group);

    plan.apply({ kind: 'add', ids: [ann] });
    plan.validate('accept');

    expect(directory.memberships.isEmpty).toBe(true);
    plan.commit();
    expect([...directory.memberships.membersOf(group)]).toEqual([ann]);
  });

  it('counts what the steps come to together', () => {
    const directory = new ProviderDirectory(provider);
    directory.memberships.add(group, ann);
    const plan = new MembershipPlan(directory, group);

    plan.apply({ kind: 'remove', ids: [ann] });
    plan.apply({ kind: 'add', ids: [bob, ann, bob] });

    expect(plan.counts).toEqual({ added: 1, removed: 0 });
    expect(plan.changesNothing).toBe(false);
  });

  it('sees through a removal that a later step undoes', () => {
    const directory = new ProviderDirectory(provider);
    directory.memberships.add(group, ann);
    const plan = new MembershipPlan(directory, group);

    plan.apply({ kind: 'replace', ids: [] });
    plan.apply({ kind: 'add', ids: [ann] });

    expect(plan.changesNothing).toBe(true);
  });
});
