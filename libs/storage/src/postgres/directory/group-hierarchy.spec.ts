import { describe, expect, it } from '@jest/globals';
import { formatResourceId, parseProviderId, type GroupId } from '@palisade/domain';
import { GroupHierarchy } from './group-hierarchy.js';

const provider = parseProviderId('p');

function groupId(name: string): GroupId {
  return formatResourceId('Group', provider, name);
}

/** Groups `a`, `b` … that are members of the groups at these places. */
function hierarchyOf(...parents: readonly (readonly number[])[]): GroupHierarchy {
  const names = ['a', 'b', 'c', 'd'];
  return new GroupHierarchy(
    parents.map((places, index) => {
      const name = names[index] ?? '';
      return { id: groupId(name), display: name.toUpperCase(), parents: places };
    }),
  );
}

describe(GroupHierarchy.name, () => {
  it('gives direct groups and those above them by id, each once; direct wins', () => {
    const hierarchy = hierarchyOf([], [0], [0, 1], [2]);

    expect(hierarchy.expand([groupId('c'), groupId('b')])).toEqual([
      [groupId('a'), 'A', false],
      [groupId('b'), 'B', true],
      [groupId('c'), 'C', true],
    ]);
  });

  it('answers each question by itself', () => {
    const hierarchy = hierarchyOf([], [0], [], [2]);

    expect(hierarchy.expand([groupId('b')]).map(([, display]) => display)).toEqual(['A', 'B']);
    expect(hierarchy.expand([groupId('d')]).map(([, display]) => display)).toEqual(['C', 'D']);
    expect(hierarchy.expand([])).toEqual([]);
  });

  it('leaves out a group that it does not know', () => {
    expect(hierarchyOf([]).expand([groupId('a'), groupId('z')])).toEqual([[groupId('a'), 'A', true]]);
  });

  it('ends also where groups contain each other', () => {
    expect(
      hierarchyOf([1], [0])
        .expand([groupId('a')])
        .map(([, , direct]) => direct),
    ).toEqual([true, false]);
  });
});
