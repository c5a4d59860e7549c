import { Injectable } from '@nestjs/common';
import {
  type CursorPosition,
  type Filter,
  type ListedBinding,
  type ProviderId,
  type ResourceQuery,
  type ResourceType,
  resourceTypeOf,
  Store,
  type StoredResource,
} from '@palisade/domain';
import { FairTurns } from '@palisade/platform';
import type { Relationship } from './relationship-formats.js';

const PAGE_SIZE = 500;

// Users without the attribute count as active.
const NOT_INACTIVE: Filter = {
  kind: 'not',
  operand: {
    kind: 'compare',
    attribute: { path: ['active'], type: 'boolean', multiValued: false },
    operator: 'eq',
    value: false,
  },
};

const HAS_NESTED_GROUP: Filter = {
  kind: 'element',
  attribute: { path: ['members'], type: 'complex', multiValued: true },
  filter: {
    kind: 'compare',
    attribute: { path: ['type'], type: 'string', multiValued: false },
    operator: 'eq',
    value: 'group',
  },
};

/**
 * The bindings and memberships that give access, for an authorization system that is to give the same answers as this
 * one: inactive users, dangling and suspended bindings are left out. Read in pages, so a change made meanwhile may be in it or not.
 */
@Injectable()
export class RelationshipsService {
  constructor(
    private readonly store: Store,
    private readonly turns: FairTurns,
  ) {}

  /** Batches of relationships, of one provider or of all: bindings, then nested groups, then users. */
  async *export(provider?: ProviderId): AsyncGenerator<readonly Relationship[], void, void> {
    yield* this.bindings(provider);
    for await (const id of this.providers(provider)) {
      yield* this.nestedGroups(id);
      yield* this.users(id);
    }
  }

  private async *bindings(provider?: ProviderId): AsyncGenerator<readonly Relationship[], void, void> {
    let after: ListedBinding | undefined;
    do {
      const query = { provider, after, limit: PAGE_SIZE };
      const page = await this.turns.runForCaller(() => this.store.bindings.list(query));
      yield page.filter(({ state }) => state === 'active').map(toBindingRelationship);
      after = page.length < PAGE_SIZE ? undefined : page.at(-1);
    } while (after !== undefined);
  }

  private async *providers(only?: ProviderId): AsyncGenerator<ProviderId, void, void> {
    if (only !== undefined) {
      yield only;
      return;
    }
    let after: ProviderId | undefined;
    do {
      const page = await this.store.providers.list({ after, limit: PAGE_SIZE });
      yield* page.map(({ id }) => id);
      after = page.length < PAGE_SIZE ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
  }

  private async *nestedGroups(provider: ProviderId): AsyncGenerator<readonly Relationship[], void, void> {
    for await (const groups of this.pages(provider, 'Group', HAS_NESTED_GROUP)) {
      yield groups.flatMap((group) => (group.type === 'Group' ? nestedGroupsOf(group) : []));
    }
  }

  private async *users(provider: ProviderId): AsyncGenerator<readonly Relationship[], void, void> {
    for await (const users of this.pages(provider, 'User', NOT_INACTIVE)) {
      yield users.flatMap((user) => (user.type === 'User' ? groupsOf(user) : []));
    }
  }

  private async *pages(
    provider: ProviderId,
    type: ResourceType,
    filter: Filter,
  ): AsyncGenerator<readonly StoredResource[], void, void> {
    let after: CursorPosition | undefined;
    do {
      const query: ResourceQuery = {
        selections: [{ type, filter }],
        order: 'created',
        page: { kind: 'cursor', after, count: PAGE_SIZE },
        include: type === 'User' ? { groups: true } : { members: true },
      };
      const page = await this.turns.runForCaller(() => this.store.directory.list(provider, query));
      yield page.items;
      after = page.next;
    } while (after !== undefined);
  }
}

function toBindingRelationship({ namespace, relation, boundSubject }: ListedBinding): Relationship {
  return { kind: 'binding', namespace, relation, group: boundSubject };
}

function nestedGroupsOf({ id, members = [] }: Extract<StoredResource, { type: 'Group' }>): Relationship[] {
  return members
    .filter((member) => resourceTypeOf(member.id) === 'Group')
    .map((member) => ({ kind: 'membership', group: id, member: member.id }));
}

function groupsOf({ id, groups = [] }: Extract<StoredResource, { type: 'User' }>): Relationship[] {
  return groups.filter(({ direct }) => direct).map((group) => ({ kind: 'membership', group: group.id, member: id }));
}
