import {
  type LogRecord,
  type ChangeContext,
  type HealthObservation,
  isSamePlace,
  type Proxy,
  type ProxyDraft,
  type ProxyId,
  type ProxyBounds,
  type ProxySource,
  type PutProxyOptions,
} from '@palisade/domain';
import { type Insertable, type Selectable, sql } from 'kysely';
import { proxyHealthChanged, proxyRegistered, proxyRemoved } from '../../change-records.js';
import {
  newProxy,
  observeProxy,
  requireRoom,
  updatePlace,
  type PlacedProxy,
  presentProxy,
} from '../../proxy-content.js';
import { appendRecords } from '../log/append-records.js';
import type { Connection, Database } from '../connection/database.js';
import type { ProxiesTable } from '../connection/tables.js';

export type ProxyRow = Selectable<ProxiesTable>;

export function toProxy(row: ProxyRow): PlacedProxy {
  return {
    id: row.id,
    pool: row.pool,
    host: row.host,
    port: row.port,
    weight: row.weight,
    isDraining: row.is_draining,
    source: row.source,
    ...(row.owner !== null && { owner: row.owner }),
    health: row.health,
    ...(row.health_detail !== null && { healthDetail: row.health_detail }),
    ...(row.health_changed_at && { healthChangedAt: row.health_changed_at }),
    registeredAt: row.registered_at,
    ...(row.last_heartbeat_at && { lastHeartbeatAt: row.last_heartbeat_at }),
    ...(row.instance !== null && { instance: row.instance }),
    ...(row.version !== null && { version: row.version }),
    ...(row.policy && { policy: row.policy }),
    addressSince: row.address_since,
  };
}

export function toProxyRow(proxy: PlacedProxy): Insertable<ProxiesTable> {
  return {
    id: proxy.id,
    pool: proxy.pool,
    source: proxy.source,
    owner: proxy.owner ?? null,
    host: proxy.host,
    port: proxy.port,
    weight: proxy.weight,
    is_draining: proxy.isDraining,
    health: proxy.health,
    health_detail: proxy.healthDetail ?? null,
    health_changed_at: proxy.healthChangedAt ?? null,
    registered_at: proxy.registeredAt,
    last_heartbeat_at: proxy.lastHeartbeatAt ?? null,
    instance: proxy.instance ?? null,
    version: proxy.version ?? null,
    policy: proxy.policy ? JSON.stringify(proxy.policy) : null,
    address_since: proxy.addressSince,
  };
}

/** How often to retry when a conflicting proxy has been removed by the time it is read. */
const MAX_ATTEMPTS = 10;

export async function putProxy(
  transaction: Connection,
  id: ProxyId,
  source: ProxySource,
  draft: ProxyDraft,
  change: ChangeContext,
  options: PutProxyOptions,
): Promise<Proxy> {
  const now = await timeOf(transaction);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const proxy = newProxy(id, source, draft, change, now);
    if (await insertProxy(transaction, proxy)) {
      await requireRoomFor(transaction, proxy, options.bounds);
      await appendRecords(transaction, [proxyRegistered(change, proxy)]);
      return presentProxy(proxy);
    }
    const [current] = await lockProxies(transaction, [id]);
    if (current) {
      return presentProxy(await moveProxy(transaction, current, source, draft, { change, options, now }));
    }
  }
  throw new Error(`proxy "${id}" comes and goes too quickly`);
}

/** False when there was no such proxy. */
export async function removeProxy(transaction: Connection, id: ProxyId, change: ChangeContext): Promise<boolean> {
  const row = await transaction.deleteFrom('proxies').where('id', '=', id).returningAll().executeTakeFirst();
  if (!row) {
    return false;
  }
  await appendRecords(transaction, [proxyRemoved(change, toProxy(row))]);
  return true;
}

/** Takes no lock and no transaction while nothing has changed. */
export async function observeProxies(
  database: Database,
  observations: readonly HealthObservation[],
  change: ChangeContext,
): Promise<void> {
  const ids = observations.map(({ id }) => id);
  const known = await database.run((connection) => findProxies(connection, ids));
  if (observe(known, observations).length > 0) {
    await database.transaction((transaction) => storeObservations(transaction, ids, observations, change));
  }
}

interface Observed {
  readonly before: PlacedProxy;
  readonly after: PlacedProxy;
}

async function storeObservations(
  transaction: Connection,
  ids: readonly ProxyId[],
  observations: readonly HealthObservation[],
  change: ChangeContext,
): Promise<void> {
  const records: LogRecord[] = [];
  for (const { before, after } of observe(await lockProxies(transaction, ids), observations)) {
    await updateProxy(transaction, after);
    if (after.health !== before.health) {
      records.push(proxyHealthChanged(change, after, before.health));
    }
  }
  await appendRecords(transaction, records);
}

/** Only the proxies for which the observations bring something new. */
function observe(proxies: readonly PlacedProxy[], observations: readonly HealthObservation[]): Observed[] {
  return proxies
    .map((before) => {
      const own = observations.filter(({ id }) => id === before.id);
      return { before, after: own.reduce(observeProxy, before) };
    })
    .filter(({ before, after }) => before !== after);
}

async function moveProxy(
  transaction: Connection,
  current: PlacedProxy,
  source: ProxySource,
  draft: ProxyDraft,
  { change, options, now }: { readonly change: ChangeContext; readonly options: PutProxyOptions; readonly now: Date },
): Promise<PlacedProxy> {
  const proxy = updatePlace(current, source, draft, change, options, now);
  if (proxy.pool !== current.pool) {
    await requireRoomFor(transaction, proxy, options.bounds);
  }
  if (proxy !== current) {
    await updateProxy(transaction, proxy);
  }
  if (!isSamePlace(current, proxy)) {
    await appendRecords(transaction, [proxyRegistered(change, proxy)]);
  }
  return proxy;
}

/**
 * Proxies that come to a pool take turns from here to the end of their transactions, so that each counts those before it. Each
 * holds its own row by then and waits for no other, so that there is no deadlock.
 *
 * @throws {TooManyProxiesError}
 */
async function requireRoomFor(
  transaction: Connection,
  { id, pool }: PlacedProxy,
  bounds: ProxyBounds | undefined,
): Promise<void> {
  if (bounds === undefined) {
    return;
  }
  await sql`select pg_advisory_xact_lock(hashtextextended('palisade proxies', 0))`.execute(transaction);
  const others = await transaction
    .selectFrom('proxies')
    .select(({ fn }) => [
      fn.countAll<number>().as('inAll'),
      fn.countAll<number>().filterWhere('pool', '=', pool).as('inPool'),
    ])
    .where('id', '!=', id)
    .executeTakeFirstOrThrow();
  requireRoom(bounds, pool, others);
}

async function insertProxy(transaction: Connection, proxy: PlacedProxy): Promise<boolean> {
  const inserted = await transaction
    .insertInto('proxies')
    .values(toProxyRow(proxy))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

async function updateProxy(transaction: Connection, proxy: PlacedProxy): Promise<void> {
  await transaction.updateTable('proxies').set(toProxyRow(proxy)).where('id', '=', proxy.id).execute();
}

/** In order of id, so that two transactions that lock the same proxies do not deadlock. */
async function lockProxies(transaction: Connection, ids: readonly ProxyId[]): Promise<PlacedProxy[]> {
  return (await proxiesOf(transaction, ids).orderBy('id').forNoKeyUpdate().execute()).map(toProxy);
}

async function findProxies(connection: Connection, ids: readonly ProxyId[]): Promise<PlacedProxy[]> {
  return (await proxiesOf(connection, ids).execute()).map(toProxy);
}

function proxiesOf(connection: Connection, ids: readonly ProxyId[]) {
  return connection
    .selectFrom('proxies')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::text[])`);
}

/** The database's clock. */
async function timeOf(transaction: Connection): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(transaction);
  return rows[0]?.now ?? new Date();
}
