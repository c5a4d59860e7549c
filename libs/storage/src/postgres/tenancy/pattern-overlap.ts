import {
  literalPrefix,
  MAX_WILDCARD_PATTERNS,
  NamespaceOverlapError,
  type NamespacePattern,
  patternShape,
  patternsOverlap,
  type TenantId,
  TooManyPatternsError,
} from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import { prefixesOf } from '../../tenant-content.js';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';

/** Greater than every character of a pattern. */
const BEHIND_PATTERNS = '~';
const PAGE_SIZE = 1000;

interface Candidate {
  readonly tenant: TenantId;
  readonly pattern: NamespacePattern;
}

/** Patterns of other tenants whose literal prefix is a prefix of one of ours. */
export const SHORTER_CANDIDATES = prepared(`
  select tenant_id as tenant, pattern from tenant_patterns
  where literal_prefix = any($2::text[]) and tenant_id <> $1
  order by literal_prefix, pattern`);

/** Patterns of other tenants between two prefixes, in order, after a given one. */
export const LONGER_CANDIDATES = prepared(`
  select tenant_id as tenant, pattern from tenant_patterns
  where (literal_prefix, pattern) > ($2, $3) and literal_prefix < $4 and tenant_id <> $1
  order by literal_prefix, pattern
  limit ${PAGE_SIZE}`);

const COUNT_WILDCARDS = prepared(`
  select count(*) as count from tenant_patterns where shape = 'wildcard' and tenant_id <> $1`);

/**
 * The answer stays valid only while the caller holds the lock of the registry.
 *
 * @throws {NamespaceOverlapError} when a pattern shares a namespace with one of another tenant
 */
export async function requireNoOverlap(
  transaction: Connection,
  tenant: TenantId,
  patterns: readonly NamespacePattern[],
): Promise<void> {
  const prefixes = [...new Set(patterns.flatMap((pattern) => prefixesOf(literalPrefix(pattern))))];
  rejectOverlap(patterns, await candidates(transaction, SHORTER_CANDIDATES, [tenant, prefixes]));
  // An exact name overlaps only with patterns whose literal prefix it begins with.
  for (const pattern of patterns.filter((each) => patternShape(each) !== 'exact')) {
    await requireNoLongerOverlap(transaction, tenant, pattern);
  }
}

/** @throws {TooManyPatternsError} */
export async function requireRoomForWildcards(
  transaction: Connection,
  tenant: TenantId,
  patterns: readonly NamespacePattern[],
): Promise<void> {
  const wanted = patterns.filter((pattern) => patternShape(pattern) === 'wildcard').length;
  if (wanted === 0) {
    return;
  }
  const { rows } = await transaction.executeQuery<{ count: number }>(CompiledQuery.raw(COUNT_WILDCARDS, [tenant]));
  if (wanted + (rows[0]?.count ?? 0) > MAX_WILDCARD_PATTERNS) {
    throw new TooManyPatternsError(MAX_WILDCARD_PATTERNS);
  }
}

/** Reads, page by page, the patterns that continue the pattern's literal prefix. */
async function requireNoLongerOverlap(
  transaction: Connection,
  tenant: TenantId,
  pattern: NamespacePattern,
): Promise<void> {
  const prefix = literalPrefix(pattern);
  const end = prefix + BEHIND_PATTERNS;
  for (let after = [prefix, end]; ;) {
    const page = await candidates(transaction, LONGER_CANDIDATES, [tenant, ...after, end]);
    rejectOverlap([pattern], page);
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) {
      return;
    }
    after = [literalPrefix(last.pattern), last.pattern];
  }
}

/** @throws {NamespaceOverlapError} */
function rejectOverlap(patterns: readonly NamespacePattern[], others: readonly Candidate[]): void {
  for (const other of others) {
    const pattern = patterns.find((own) => patternsOverlap(own, other.pattern));
    if (pattern !== undefined) {
      throw new NamespaceOverlapError(pattern, other);
    }
  }
}

async function candidates(
  transaction: Connection,
  statement: string,
  parameters: readonly unknown[],
): Promise<readonly Candidate[]> {
  const { rows } = await transaction.executeQuery<Candidate>(CompiledQuery.raw(statement, [...parameters]));
  return rows;
}
