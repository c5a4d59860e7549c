import { describe, expect, it } from '@jest/globals';
import type { ApiClient, ApiRequest } from '../command/api-client.js';
import { BulkCreation } from './bulk-creation.js';
import { RESOURCE_KINDS, type Resource } from './resource-kind.js';

interface Operation {
  readonly bulkId: string;
  readonly data: { readonly externalId: string; readonly members?: readonly { readonly value: string }[] };
}

/** Has groups, of which it takes those whose members it has; at first it is busy for some. */
class FakeService {
  readonly created = new Set<string>();
  readonly sent: string[][] = [];

  constructor(private readonly busyFor: Set<string>) {}

  readonly send = async ({ body }: ApiRequest): Promise<unknown> => {
    const { Operations: operations } = body as { readonly Operations: readonly Operation[] };
    this.sent.push(operations.map(({ data }) => data.externalId));
    return { Operations: operations.map(({ bulkId, data }) => ({ bulkId, status: this.take(data) })) };
  };

  private take({ externalId, members = [] }: Operation['data']): string {
    if (this.busyFor.delete(externalId)) {
      return '503';
    }
    if (!members.every(({ value }) => this.created.has(value))) {
      return '400';
    }
    this.created.add(externalId);
    return '201';
  }
}

const group = (externalId: string, ...members: string[]): Resource => ({
  externalId,
  members: members.map((value) => ({ value })),
});

describe(BulkCreation.name, () => {
  function create(service: FakeService, resources: readonly Resource[]) {
    const client = service as unknown as ApiClient;
    return new BulkCreation(client, RESOURCE_KINDS.groups, new AbortController().signal).create(resources);
  }

  it('retries what failed after something that the service could not do at the moment', async () => {
    const service = new FakeService(new Set(['parent']));
    const outcomes = await create(service, [group('a'), group('parent'), group('b'), group('child', 'parent')]);
    expect(outcomes).toEqual([{ status: 201 }, { status: 201 }, { status: 201 }, { status: 201 }]);
    expect(service.sent).toEqual([
      ['a', 'parent', 'b', 'child'],
      ['parent', 'child'],
    ]);
  });

  it('does not retry what failed before that', async () => {
    const service = new FakeService(new Set(['late']));
    const outcomes = await create(service, [group('child', 'missing'), group('late')]);
    expect(outcomes).toMatchObject([{ status: 400 }, { status: 201 }]);
    expect(service.sent).toEqual([['child', 'late'], ['late']]);
  });
});
