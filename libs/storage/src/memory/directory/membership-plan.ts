import {
  MAX_GROUP_DEPTH,
  MAX_GROUP_MEMBERS,
  MembershipCycleError,
  NestingTooDeepError,
  TooManyMembersError,
  UnknownMemberError,
  parseResourceId,
  resourceTypeOf,
  type GroupId,
  type MembershipChange,
  type ResourceId,
} from '@palisade/domain';
import { matches } from '@palisade/scim';
import type { MembershipCounts } from '../../change-records.js';
import type { ProviderDirectory } from './provider-directory.js';
import { searchableMember } from './search-document.js';

/**
 * The net effect of changes of a group's members, computed before anything is changed: `apply` each step, `validate`, then
 * `commit`. The cost depends on how many members the steps name, not on the size of the group, unless a step concerns all.
 */
export class MembershipPlan {
  private readonly added = new Set<ResourceId>();
  private readonly removed = new Set<ResourceId>();
  private readonly present: ReadonlySet<ResourceId>;

  constructor(
    private readonly directory: ProviderDirectory,
    private readonly group: GroupId,
  ) {
    this.present = directory.memberships.membersOf(group);
  }

  get counts(): MembershipCounts {
    return { added: this.added.size, removed: this.removed.size };
  }

  get changesNothing(): boolean {
    return this.added.size === 0 && this.removed.size === 0;
  }

  apply(change: MembershipChange): void {
    switch (change.kind) {
      case 'add':
        change.ids.forEach((id) => this.add(id));
        return;
      case 'remove':
        change.ids.forEach((id) => this.remove(id));
        return;
      case 'removeMatching':
        this.removeWhere((id) => matches(change.filter, searchableMember(this.directory, id)));
        return;
      case 'replace': {
        const wanted = new Set(change.ids);
        this.removeWhere((id) => !wanted.has(id));
        wanted.forEach((id) => this.add(id));
        return;
      }
      default:
        change satisfies never;
    }
  }

  /**
   * @throws {TooManyMembersError} {@link UnknownMemberError} {@link MembershipCycleError} {@link NestingTooDeepError} as
   * `DirectoryStore.update` says
   */
  validate(unknownMembers: 'reject' | 'accept' = 'reject'): void {
    if (this.present.size + this.added.size - this.removed.size > MAX_GROUP_MEMBERS) {
      throw new TooManyMembersError(this.group, MAX_GROUP_MEMBERS);
    }
    for (const id of this.added) {
      if (parseResourceId(id)?.providerId !== this.directory.provider) {
        throw new UnknownMemberError(this.group, id);
      }
    }
    this.requireNesting();
    if (unknownMembers === 'reject') {
      this.requireExistence();
    }
  }

  commit(): void {
    const { memberships } = this.directory;
    this.removed.forEach((id) => memberships.remove(this.group, id));
    this.added.forEach((id) => memberships.add(this.group, id));
  }

  private add(id: ResourceId): void {
    if (!this.removed.delete(id) && !this.present.has(id)) {
      this.added.add(id);
    }
  }

  private remove(id: ResourceId): void {
    if (!this.added.delete(id) && this.present.has(id)) {
      this.removed.add(id);
    }
  }

  private removeWhere(predicate: (id: ResourceId) => boolean): void {
    for (const id of [...this.present, ...this.added]) {
      if (!this.removed.has(id) && predicate(id)) {
        this.remove(id);
      }
    }
  }

  private requireNesting(): void {
    const groups = [...this.added].filter((id) => resourceTypeOf(id) === 'Group') as GroupId[];
    if (groups.length === 0) {
      return;
    }
    const { memberships } = this.directory;
    const above = memberships.groupsAbove(this.group);
    const offending = groups.find((id) => id === this.group || above.has(id));
    if (offending !== undefined) {
      throw new MembershipCycleError(this.group, offending);
    }
    const levelsAbove = memberships.levelsAbove(this.group, MAX_GROUP_DEPTH);
    if (levelsAbove + memberships.levelsBelow(groups, MAX_GROUP_DEPTH) > MAX_GROUP_DEPTH) {
      throw new NestingTooDeepError(this.group, MAX_GROUP_DEPTH);
    }
  }

  private requireExistence(): void {
    for (const id of this.added) {
      if (!this.directory.findById(id)) {
        throw new UnknownMemberError(this.group, id);
      }
    }
  }
}
