import { describe, expect, it } from '@jest/globals';
import { formatResourceId, parseProviderId, type GroupId } from '@palisade/domain';
import { MembershipGraph } from './membership-graph.js';

const provider = parseProviderId('p');
const user = formatResourceId('User', provider, 'u');
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => formatResourceId('Group', provider, name)) as [
  GroupId,
  GroupId,
  GroupId,
  GroupId,
];

describe(MembershipGraph.name, () => {
  it('finds the groups above a member, nearest first, with the next group on the way down', () => {
    const graph = new MembershipGraph();
    graph.add(a, user);
    graph.add(b, a);
    graph.add(c, b);
    graph.add(c, user);
    graph.add(d, c);

    expect([...graph.groupsAbove(user)]).toEqual([
      [a, undefined],
      [c, undefined],
      [b, a],
      [d, c],
    ]);
  });

  it('finds all members below a group, each once', () => {
    const graph = new MembershipGraph();
    graph.add(a, b);
    graph.add(a, c);
    graph.add(b, user);
    graph.add(c, user);

    expect([...graph.membersBelow(a)]).toEqual([b, c, user]);
  });

  it('ends its walks also where groups contain each other', () => {
    const graph = new MembershipGraph();
    graph.add(a, b);
    graph.add(b, a);
    graph.add(a, user);

    expect([...graph.groupsAbove(user).keys()]).toEqual([a, b]);
    expect([...graph.membersBelow(a)]).toEqual([b, user, a]);
  });

  it('walks long chains', () => {
    const graph = new MembershipGraph();
    const chain = Array.from({ length: 20_000 }, (_, index) => formatResourceId('Group', provider, `g${index}`));
    for (const [index, group] of chain.entries()) {
      graph.add(group, chain[index - 1] ?? user);
    }

    expect(graph.groupsAbove(user).size).toBe(20_000);
    expect(graph.membersBelow(chain.at(-1) ?? a).size).toBe(20_000);
  });

  it('counts the levels of the longest way, groups only, up to a limit', () => {
    const graph = new MembershipGraph();
    graph.add(a, user);
    graph.add(b, a);
    graph.add(c, b);
    graph.add(c, a);

    expect(graph.levelsAbove(a, 10)).toBe(3);
    expect(graph.levelsBelow([c], 10)).toBe(3);
    expect(graph.levelsBelow([d, b], 10)).toBe(2);
    expect(graph.levelsBelow([c], 2)).toBe(2);
  });

  it('keeps nothing of what has no memberships any more', () => {
    const graph = new MembershipGraph();
    graph.add(a, user);
    graph.add(b, a);
    graph.add(b, user);

    graph.removeAllOf(a);
    graph.remove(b, user);

    expect(graph.isEmpty).toBe(true);
  });
});
