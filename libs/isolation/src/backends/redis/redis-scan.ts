import { untilAborted } from '@palisade/async';
import { requireInteger } from './commands/command-issuer.js';
import type { RedisLink } from './redis-link.js';
import type { RedisScope } from './redis-scope.js';

declare const brand: unique symbol;
/** Where the next page of the same scan begins. */
export type ScanCursor = string & { readonly [brand]: 'ScanCursor' };

export interface ScanOptions {
  /** A glob pattern (`*`, `?`, `[a-z]`, with `\` before what stands for itself) for what the namespace calls its keys. */
  readonly match?: string;
  /** Only keys with values of this type. */
  readonly type?: 'string' | 'hash' | 'list' | 'set' | 'zset' | 'stream';
  /** How many keys of the server, whoever they belong to, are looked at for one page: up to 10,000. Default 1,000. */
  readonly pageSize?: number;
}

export interface ScanPage {
  readonly keys: readonly string[];
  /** Undefined when that was the last page. */
  readonly next: ScanCursor | undefined;
}

const START = '0';
const CURSOR = /^\d{1,20}$/;
const MAX_PAGE_SIZE = 10_000;

/** @throws {TypeError} when the cursor is invalid */
export async function scanPage(scope: RedisScope, options: ScanOptions, cursor?: ScanCursor): Promise<ScanPage> {
  const args = scanArguments(scope, options, cursor);
  const { scanners, context, link } = scope;
  const scan = (from: RedisLink) => from.send(args, 'bytes');
  const reply = await scope.answer(args, () =>
    scanners === undefined
      ? scan(link)
      : scanners.run((scanner) => untilAborted(scan(scanner), context.signal), context.signal),
  );
  const [next, found] = reply as [Buffer, Buffer[]];
  const keys = found.flatMap((key) => scope.keys.strip(key) ?? []);
  return { keys, next: String(next) === START ? undefined : (String(next) as ScanCursor) };
}

function scanArguments({ keys }: RedisScope, options: ScanOptions, cursor: string = START): string[] {
  const { match, type, pageSize = 1_000 } = options;
  if (typeof cursor !== 'string' || !CURSOR.test(cursor)) {
    throw new TypeError('expected a cursor that came with a page');
  }
  const count = requireInteger('pageSize', Math.min(pageSize, MAX_PAGE_SIZE), 1);
  return ['SCAN', cursor, 'MATCH', keys.pattern(match), 'COUNT', count, ...(type === undefined ? [] : ['TYPE', type])];
}
