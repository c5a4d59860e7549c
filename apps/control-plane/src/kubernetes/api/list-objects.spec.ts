import { describe, expect, it } from '@jest/globals';
import { ClusterAccess } from './cluster-access.js';
import type { Fields } from './objects.js';
import { KubernetesApi, type ApiRequest } from './kubernetes-api.js';
import { listObjects, type ObjectList } from './list-objects.js';

class ScriptedApi extends KubernetesApi {
  readonly queries: ApiRequest['query'][] = [];

  constructor(private readonly answer: (page: number) => Fields) {
    super(new ClusterAccess());
  }

  override async request({ query }: ApiRequest): Promise<Fields> {
    this.queries.push(query);
    return this.answer(this.queries.length);
  }
}

const list = (api: KubernetesApi): Promise<ObjectList> =>
  listObjects(api, '/pods', 'app=proxy', new AbortController().signal);
const page = (items: unknown, next?: string): Fields => ({
  kind: 'PodList',
  metadata: { resourceVersion: '7', continue: next },
  items,
});

describe(listObjects.name, () => {
  it('asks for one page after the other', async () => {
    const api = new ScriptedApi((number) => page([{ number }], number < 3 ? `after-${number}` : ''));
    expect(await list(api)).toEqual({ version: '7', objects: [{ number: 1 }, { number: 2 }, { number: 3 }] });
    expect(api.queries.map((query) => query?.['continue'])).toEqual([undefined, 'after-1', 'after-2']);
    expect(api.queries[0]).toMatchObject({ labelSelector: 'app=proxy', limit: '250' });
  });

  it.each<[string, Fields]>([
    ['items that are none', page({})],
    ['no items', page(undefined)],
    ['no version', { kind: 'PodList', metadata: {}, items: [] }],
    ['no metadata', { kind: 'PodList', items: [] }],
    ['another kind', { kind: 'Status', metadata: { resourceVersion: '7' }, items: [] }],
    ['no kind', { metadata: { resourceVersion: '7' }, items: [] }],
  ])('does not take %s for an empty list', async (_, answer) => {
    await expect(list(new ScriptedApi(() => answer))).rejects.toThrow('the answer is not a list');
  });

  it('ends when the pages do not', async () => {
    await expect(list(new ScriptedApi(() => page([], 'again')))).rejects.toThrow('expected at most 10000 pages');
  });

  it('ends when there is more than anybody can have', async () => {
    const many = Array.from({ length: 60_000 }, () => ({}));
    await expect(list(new ScriptedApi(() => page(many, 'again')))).rejects.toThrow('expected at most 100000 objects');
  });

  it('leaves it to others what to make of an item that is no object', async () => {
    expect(await list(new ScriptedApi(() => page([null, 'x', 1, []])))).toMatchObject({ objects: [{}, {}, {}, {}] });
  });
});
