import { UsageStore, type PoolName, type ProxyId, type ProxyUsage, type StoredUsage } from '@palisade/domain';
import { sql } from 'kysely';
import type { Database } from '../connection/database.js';

export class PostgresUsageStore extends UsageStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async put(proxy: ProxyId, pool: PoolName, usage: ProxyUsage): Promise<void> {
    const row = { pool, usage: JSON.stringify(usage), at: sql<Date>`now()` };
    await this.database.run((connection) =>
      connection
        .insertInto('proxy_usage')
        .values({ proxy, ...row })
        .onConflict((conflict) => conflict.column('proxy').doUpdateSet(row))
        .execute(),
    );
  }

  override list({ maxAgeMs, limit, after = '' as ProxyId }: Parameters<UsageStore['list']>[0]): Promise<StoredUsage[]> {
    return this.database.run((connection) =>
      connection
        .selectFrom('proxy_usage')
        .select(['proxy', 'pool', 'usage', sql<number>`extract(epoch from now() - at)::float8 * 1000`.as('ageMs')])
        .where('at', '>=', sql<Date>`now() - ${maxAgeMs} * interval '1 ms'`)
        .where('proxy', '>', after)
        .orderBy('proxy')
        .limit(limit)
        .execute(),
    );
  }

  override async remove(proxy: ProxyId, maxAgeMs: number): Promise<void> {
    await this.database.run((connection) =>
      connection
        .deleteFrom('proxy_usage')
        .where((row) =>
          row.or([row('proxy', '=', proxy), row('at', '<', sql<Date>`now() - ${maxAgeMs} * interval '1 ms'`)]),
        )
        .execute(),
    );
  }
}
