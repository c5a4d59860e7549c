import {
  type ChangeContext,
  type HealthObservation,
  type Proxy,
  type ProxyDraft,
  type ProxyId,
  type ProxyReport,
  type ProxySource,
  ProxyStore,
  type PutProxyOptions,
} from '@palisade/domain';
import { sql } from 'kysely';
import { presentProxy } from '../../proxy-content.js';
import { requireStorable } from '../../storable-text.js';
import type { Database } from '../connection/database.js';
import { observeProxies, putProxy, removeProxy, toProxy } from './change-proxies.js';

export class PostgresProxyStore extends ProxyStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async put(
    id: ProxyId,
    source: ProxySource,
    draft: ProxyDraft,
    change: ChangeContext,
    options: PutProxyOptions = {},
  ): Promise<Proxy> {
    requireStorable('host', draft.host);
    return this.database.transaction((transaction) => putProxy(transaction, id, source, draft, change, options));
  }

  override async heartbeat(id: ProxyId, { instance, version, policy }: ProxyReport): Promise<Proxy | undefined> {
    const row = await this.database.run((connection) =>
      connection
        .updateTable('proxies')
        .set({
          last_heartbeat_at: sql<Date | null>`case when source = 'registration' then now() end`,
          instance: instance ?? null,
          version: version ?? null,
          policy: policy ? JSON.stringify(policy) : null,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),
    );
    return row && presentProxy(toProxy(row));
  }

  override async silences(): Promise<ReadonlyMap<ProxyId, number>> {
    const rows = await this.database.run((connection) =>
      connection
        .selectFrom('proxies')
        .select(['id', sql<number>`extract(epoch from now() - last_heartbeat_at) * 1000`.as('silent_ms')])
        .where('last_heartbeat_at', 'is not', null)
        .execute(),
    );
    return new Map(rows.map((row) => [row.id, row.silent_ms]));
  }

  override remove(id: ProxyId, change: ChangeContext): Promise<boolean> {
    return this.database.transaction((transaction) => removeProxy(transaction, id, change));
  }

  override async find(id: ProxyId): Promise<Proxy | undefined> {
    const row = await this.database.run((connection) =>
      connection.selectFrom('proxies').selectAll().where('id', '=', id).executeTakeFirst(),
    );
    return row && presentProxy(toProxy(row));
  }

  override async list(): Promise<Proxy[]> {
    const rows = await this.database.run((connection) =>
      connection.selectFrom('proxies').selectAll().orderBy('pool').orderBy('id').execute(),
    );
    return rows.map((row) => presentProxy(toProxy(row)));
  }

  override async observe(observations: readonly HealthObservation[], change: ChangeContext): Promise<void> {
    await observeProxies(this.database, observations, change);
  }
}
