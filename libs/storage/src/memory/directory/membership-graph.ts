import { resourceTypeOf, type GroupId, type ResourceId } from '@palisade/domain';
import { MultiMap } from '../collections.js';

/**
 * Who is a member of which group, within one provider, both ways. A member need not exist; a group that has members does.
 */
export class MembershipGraph {
  private readonly membersByGroup = new MultiMap<GroupId, ResourceId>();
  private readonly groupsByMember = new MultiMap<ResourceId, GroupId>();

  get isEmpty(): boolean {
    return this.membersByGroup.keyCount === 0 && this.groupsByMember.keyCount === 0;
  }

  /** In the order in which they were added. */
  membersOf(group: GroupId): ReadonlySet<ResourceId> {
    return this.membersByGroup.get(group);
  }

  /** Those that it is a direct member of. */
  groupsOf(member: ResourceId): ReadonlySet<GroupId> {
    return this.groupsByMember.get(member);
  }

  add(group: GroupId, member: ResourceId): void {
    this.membersByGroup.add(group, member);
    this.groupsByMember.add(member, group);
  }

  remove(group: GroupId, member: ResourceId): void {
    this.membersByGroup.delete(group, member);
    this.groupsByMember.delete(member, group);
  }

  /** Ends its memberships in both directions. */
  removeAllOf(id: ResourceId): void {
    for (const group of this.groupsOf(id)) {
      this.remove(group, id);
    }
    for (const member of this.membersOf(id as GroupId)) {
      this.remove(id as GroupId, member);
    }
  }

  /**
   * Every group that contains the member, directly or through others, nearest first and otherwise by `compare`. The
   * value is the next group on the shortest way down to the member, undefined for a direct membership.
   */
  groupsAbove(member: ResourceId, compare?: (a: GroupId, b: GroupId) => number): Map<GroupId, GroupId | undefined> {
    const found = new Map<GroupId, GroupId | undefined>();
    const visit = (from: ResourceId, via: GroupId | undefined): void => {
      const groups = compare ? [...this.groupsOf(from)].sort(compare) : this.groupsOf(from);
      for (const group of groups) {
        if (!found.has(group)) {
          found.set(group, via);
        }
      }
    };
    visit(member, undefined);
    // A map's iteration also visits what is added meanwhile: this is a breadth-first search that visits each group once.
    for (const group of found.keys()) {
      visit(group, group);
    }
    return found;
  }

  /** Every user and group in the group, directly or through others, each once. */
  membersBelow(group: GroupId): Set<ResourceId> {
    const found = new Set(this.membersOf(group));
    for (const member of found) {
      for (const inner of this.membersOf(member as GroupId)) {
        found.add(inner);
      }
    }
    return found;
  }

  /** How many groups the longest way up passes, this one included; counted up to `limit`. */
  levelsAbove(group: GroupId, limit: number): number {
    return countLevels([group], (id) => this.groupsOf(id), limit);
  }

  /** How many groups the longest way down from any of these passes, itself included; counted up to `limit`. */
  levelsBelow(groups: readonly GroupId[], limit: number): number {
    return countLevels(groups, (id) => this.membersOf(id), limit);
  }
}

/** Each level is all that some way of its length leads to, so this looks at a group `limit` times at most. */
function countLevels(
  groups: readonly GroupId[],
  next: (group: GroupId) => ReadonlySet<ResourceId>,
  limit: number,
): number {
  let levels = 0;
  for (let level = new Set(groups); level.size > 0 && levels < limit; levels += 1) {
    const following = new Set<GroupId>();
    for (const group of level) {
      next(group).forEach((id) => isGroup(id) && following.add(id));
    }
    level = following;
  }
  return levels;
}

function isGroup(id: ResourceId): id is GroupId {
  return resourceTypeOf(id) === 'Group';
}
