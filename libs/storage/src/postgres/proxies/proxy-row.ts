import type { Selectable } from 'kysely';
import type { PlacedProxy } from '../../tenancy/proxy-content.js';
import type { ProxiesTable } from '../schema/tables.js';

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
    health: row.health,
    ...(row.health_detail !== null && { healthDetail: row.health_detail }),
    ...(row.health_changed_at && { healthChangedAt: row.health_changed_at }),
    registeredAt: row.registered_at,
    ...(row.last_heartbeat_at && { lastHeartbeatAt: row.last_heartbeat_at }),
    addressSince: row.address_since,
  };
}

export function toProxyRow(proxy: PlacedProxy): ProxyRow {
  return {
    id: proxy.id,
    pool: proxy.pool,
    source: proxy.source,
    host: proxy.host,
    port: proxy.port,
    weight: proxy.weight,
    is_draining: proxy.isDraining,
    health: proxy.health,
    health_detail: proxy.healthDetail ?? null,
    health_changed_at: proxy.healthChangedAt ?? null,
    registered_at: proxy.registeredAt,
    last_heartbeat_at: proxy.lastHeartbeatAt ?? null,
    address_since: proxy.addressSince,
  };
}
