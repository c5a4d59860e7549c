import type { ProviderId, ResourceType } from '@palisade/domain';
import { sql, type RawBuilder } from 'kysely';
import type { Expression } from '../filter/condition.js';

/**
 * `resource_counts` says how many resources there are in each bucket of sequences, so that totals and places far behind
 * are found without walking the resources: docs/adr/0012-counted-buckets.md. A bucket holds the sequences that differ in
 * their last bits only, 4,096 of them.
 */
const BUCKET_BITS = 12;

/**
 * The count of a bucket is the sum of its shards. Sequences that follow each other are counted in different ones, so that
 * as many parallel creates do not wait for each other.
 */
const SHARDS = 16;

/**
 * SQL that counts resources which were created (1) or deleted (-1), for use behind `with … as (…)`.
 *
 * The row of a count stays locked until the transaction ends, so this belongs into its last statement, and there behind
 * all that may wait: a transaction that waits for nothing but counts, and takes those in order, takes no part in a deadlock.
 *
 * @param source a relation of the same statement with provider_id, resource_type and sequence of each resource
 */
export function countChange(source: string, change: 1 | -1): string {
  const key = `provider_id, resource_type, sequence >> ${BUCKET_BITS}, sequence % ${SHARDS}`;
  return `insert into resource_counts (provider_id, resource_type, bucket, shard, count)
    select ${key}, ${change} * count(*) from ${source} group by ${key} order by ${key}
    on conflict (provider_id, resource_type, bucket, shard)
    do update set count = resource_counts.count + excluded.count`;
}

/** The common table expression `buckets (bucket, held)`: how many resources of these types each bucket holds. */
export function bucketsOf(provider: ProviderId, types: readonly ResourceType[]): RawBuilder<unknown> {
  return sql`buckets as (
      select c.bucket, sum(c.count)::bigint as held from resource_counts c
      where c.provider_id = ${provider} and c.resource_type in (${sql.join(types)})
      group by c.bucket
    )`;
}

/** How many resources there are in {@link bucketsOf}. */
export const TOTAL_OF_BUCKETS: Expression = sql`(select coalesce(sum(held), 0)::bigint from buckets)`;

/**
 * The common table expression `start (sequence, remainder)`: behind an offset into {@link bucketsOf} lies what `remainder`
 * resources, fewer than a bucket holds, precede from `sequence` on. It is empty when the buckets are.
 */
export function startInBuckets(offset: number): RawBuilder<unknown> {
  return sql`start as (
      select b.bucket << ${sql.lit(BUCKET_BITS)} as sequence, ${offset}::bigint - b.before as remainder
      from (select bucket, (sum(held) over (order by bucket))::bigint - held as before from buckets) b
      where b.before <= ${offset}::bigint
      order by b.bucket desc limit 1
    )`;
}
