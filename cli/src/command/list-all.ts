import { isObject } from '@palisade/domain';
import type { ApiClient } from './api-client.js';
import { FailureError } from './command.errors.js';
import { valueAt } from './output.js';

/** All items of a list, page by page. */
export async function* listAll(
  client: ApiClient,
  path: string,
  query: Readonly<Record<string, unknown>> = {},
  parameters: Readonly<Record<string, string>> = {},
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let cursor: unknown;
  for (;;) {
    const answer = await client.send({
      method: 'GET',
      path,
      parameters,
      query: { ...query, ...(cursor !== undefined && { cursor }) },
    });
    const items = valueAt(answer, 'items');
    yield* Array.isArray(items) ? items.filter(isObject) : [];
    const next = valueAt(answer, 'next_cursor');
    if (next === undefined) {
      return;
    }
    if (next === cursor) {
      throw new FailureError('the service keeps answering with the same page');
    }
    cursor = next;
  }
}

/** How many items a list has. */
export async function countAll(...list: Parameters<typeof listAll>): Promise<number> {
  let count = 0;
  for await (const _ of listAll(...list)) {
    count++;
  }
  return count;
}
