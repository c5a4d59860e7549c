import { InvalidRequestError } from '../validation/invalid-request.error.js';

/** The key of a page's last item as an opaque text. */
export function encodeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * The key of `length` parts in a cursor. A cursor only says where to read on; it grants nothing, so it is not signed,
 * and its parts are to be validated like any input.
 *
 * @throws {InvalidRequestError}
 */
export function decodeCursor(cursor: string, length: number): string[] {
  const key = parse(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(key) || key.length !== length || !key.every((part) => typeof part === 'string')) {
    throw new InvalidRequestError('cursor', 'the next_cursor of an earlier page');
  }
  return key;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

/** A page of at most `limit` out of `limit + 1` items that were asked for; the cursor is there when more follow. */
export function toPage<T, R>(
  items: readonly T[],
  limit: number,
  keyOf: (item: T) => readonly string[],
  present: (item: T) => R,
): { items: R[]; next_cursor?: string } {
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = items.length > limit;
  return {
    items: shown.map(present),
    ...(hasMore && last !== undefined && { next_cursor: encodeCursor(keyOf(last)) }),
  };
}
