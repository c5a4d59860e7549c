import { describe, expect, it } from '@jest/globals';
import type { Batch } from './batches.js';
import type { BulkCreation, CreationOutcome } from './bulk-creation.js';
import { createInOrder, dependsOn, identitiesIn } from './create-in-order.js';
import { START } from './records.js';
import { RESOURCE_KINDS, type Resource, type ResourceName } from './resource-kind.js';

type Creation = Pick<BulkCreation, 'create'>;

/** Answers when it is told to. */
class ManualCreation implements Creation {
  readonly begun: string[] = [];
  private readonly gates = new Map<string, PromiseWithResolvers<void>>();

  async create(resources: readonly Resource[]): Promise<readonly CreationOutcome[]> {
    const name = String(resources[0]?.['externalId']);
    this.begun.push(name);
    await this.gate(name).promise;
    return [{ status: 201 }];
  }

  answer(name: string): void {
    this.gate(name).resolve();
  }

  fail(name: string): void {
    this.gate(name).reject(new Error(`${name} failed`));
  }

  private gate(name: string): PromiseWithResolvers<void> {
    const gate = this.gates.get(name) ?? Promise.withResolvers<void>();
    this.gates.set(name, gate);
    return gate;
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await new Promise(setImmediate);
  }
}

describe(createInOrder.name, () => {
  async function* batches(userNames: Readonly<Record<string, string>>): AsyncGenerator<Batch> {
    for (const [externalId, userName] of Object.entries(userNames)) {
      yield { records: [{ number: 1, line: 1, end: START, resource: { externalId, userName } }], end: START };
    }
  }

  function begin(userNames: Readonly<Record<string, string>>, concurrency: number) {
    const creation = new ManualCreation();
    const done: string[] = [];
    const ended = (async () => {
      for await (const { batch } of createInOrder(batches(userNames), RESOURCE_KINDS.users, creation, concurrency)) {
        done.push(String(batch.records[0]?.resource?.['externalId']));
      }
    })();
    return { creation, done, ended };
  }

  it('has as many under way as it may, and gives them in order', async () => {
    const { creation, done, ended } = begin({ a: 'a', b: 'b', c: 'c' }, 2);
    await settle();
    expect(creation.begun).toEqual(['a', 'b']);
    creation.answer('b');
    await settle();
    expect(done).toEqual([]);
    creation.answer('a');
    creation.answer('c');
    await ended;
    expect(done).toEqual(['a', 'b', 'c']);
  });

  it('lets a batch wait for one that has a name of it', async () => {
    const { creation, ended } = begin({ a: 'ann', b: 'ben', c: 'ANN' }, 3);
    await settle();
    expect(creation.begun).toEqual(['a', 'b']);
    creation.answer('a');
    await settle();
    expect(creation.begun).toEqual(['a', 'b', 'c']);
    creation.answer('b');
    creation.answer('c');
    await ended;
  });

  it('fails when those under way have ended', async () => {
    const { creation, done, ended } = begin({ a: 'a', b: 'b' }, 2);
    let hasEnded = false;
    const failure = expect(ended.finally(() => (hasEnded = true))).rejects.toThrow('a failed');
    creation.fail('a');
    await settle();
    expect(hasEnded).toBe(false);
    creation.answer('b');
    await failure;
    expect(done).toEqual([]);
  });
});

describe(dependsOn.name, () => {
  const check = (name: ResourceName, earlier: Resource, later: Resource): boolean => {
    const [first, second] = [earlier, later].map((resource) =>
      identitiesIn({ records: [{ number: 1, line: 1, end: START, resource }], end: START }, RESOURCE_KINDS[name]),
    );
    return first !== undefined && second !== undefined && dependsOn(second, first);
  };

  it('sees the same external id', () => {
    expect(check('users', { externalId: 'a', userName: 'x' }, { externalId: 'a', userName: 'y' })).toBe(true);
  });

  it('sees the same name, whatever its case', () => {
    expect(check('users', { externalId: 'a', userName: 'Ann' }, { externalId: 'b', userName: 'ann' })).toBe(true);
  });

  it('takes no external id for a name', () => {
    expect(check('users', { externalId: 'a', userName: 'b' }, { externalId: 'b', userName: 'a' })).toBe(false);
  });

  it('sees a group that is a member of a later one', () => {
    const later = { externalId: 'b', displayName: 'B', members: [null, { value: 'group:scim:p:a' }] };
    expect(check('groups', { externalId: 'a', displayName: 'A' }, later)).toBe(true);
  });

  it('sees a group that has a later one as a member, which it must not find there', () => {
    const earlier = { externalId: 'a', displayName: 'A', members: [{ value: 'group:scim:p:b' }] };
    expect(check('groups', earlier, { externalId: 'b', displayName: 'B' })).toBe(true);
  });

  it('lets two groups have the same user', () => {
    const members = [{ value: 'user:scim:p:a' }];
    expect(
      check('groups', { externalId: 'a', displayName: 'A', members }, { externalId: 'b', displayName: 'B', members }),
    ).toBe(false);
  });
});
