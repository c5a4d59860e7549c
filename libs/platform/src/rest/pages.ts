import type { Type } from '@nestjs/common';
import { parseJson } from '@palisade/domain';
import { Integer, List, Text } from './fields.js';
import { InvalidRequestError } from './invalid-request.error.js';

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1000;
const CURSOR_EXAMPLE = 'WyJhY21lLWVudHJhIl0';

export class PageLimit {
  @Integer('Items per page.', { default: DEFAULT_PAGE_SIZE, minimum: 1, maximum: MAX_PAGE_SIZE, inQuery: true })
  readonly limit: number = DEFAULT_PAGE_SIZE;
}

export class PageParameters extends PageLimit {
  @Text('`next_cursor` of the page before; leave it out for the first.', {
    example: CURSOR_EXAMPLE,
    maxLength: 2000,
    optional: true,
  })
  readonly cursor?: string;
}

/** Some items of a list; the cursor is there when more follow. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor?: string;
}

/** The class of a page, to be extended; the description says in which order its items are. */
export function pageOf<T>(type: Type<T>, description: string): Type<Page<T>> {
  class PageOfItems implements Page<T> {
    @List(description, type)
    readonly items!: readonly T[];

    @Text('`cursor` of the next page; absent when this is the last one.', { example: CURSOR_EXAMPLE, optional: true })
    readonly next_cursor?: string;
  }
  return PageOfItems;
}

/** The key of a page's last item as opaque text. */
export function encodeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * The key of `length` parts in a cursor, or of none without a cursor. A cursor only says where to read on; it grants nothing, so it is not signed,
 * and its parts are to be validated like any input.
 *
 * @throws {InvalidRequestError}
 */
export function decodeCursor(cursor: string | undefined, length: number): string[] {
  if (cursor === undefined) {
    return [];
  }
  const key = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(key) || key.length !== length || !key.every((part) => typeof part === 'string')) {
    throw new InvalidRequestError('cursor', 'the next_cursor of an earlier page');
  }
  return key;
}

/** A page of at most `limit` items, out of `limit + 1` that were asked for. */
export function toPage<T, R>(
  items: readonly T[],
  limit: number,
  keyOf: (item: T) => readonly string[],
  present: (item: T) => R,
): Page<R> {
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = items.length > limit;
  return {
    items: shown.map(present),
    ...(hasMore && last !== undefined && { next_cursor: encodeCursor(keyOf(last)) }),
  };
}
