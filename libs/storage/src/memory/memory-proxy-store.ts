import {
  type LogRecord,
  type ChangeContext,
  type HealthObservation,
  isSamePlace,
  type Proxy,
  type ProxyDraft,
  type ProxyId,
  type ProxyReport,
  type ProxySource,
  ProxyStore,
  type PutProxyOptions,
} from '@palisade/domain';
import { compareValues } from '@palisade/scim';
import { proxyHealthChanged, proxyRegistered, proxyRemoved } from '../change-records.js';
import {
  newProxy,
  noteHeartbeat,
  noteReport,
  observeProxy,
  updatePlace,
  presentProxy,
  requireRoom,
} from '../proxy-content.js';
import { requireStorable } from '../storable-text.js';
import type { MemoryState } from './memory-state.js';

export class MemoryProxyStore extends ProxyStore {
  constructor(private readonly state: () => MemoryState) {
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
    const now = new Date();
    const current = this.state().proxies.get(id);
    const proxy = current
      ? updatePlace(current, source, draft, change, options, now)
      : newProxy(id, source, draft, change, now);
    if (options.bounds && current?.pool !== proxy.pool) {
      const others = [...this.state().proxies.values()].filter((each) => each.id !== id);
      const inPool = others.filter(({ pool }) => pool === proxy.pool).length;
      requireRoom(options.bounds, proxy.pool, { inPool, inAll: others.length });
    }
    this.state().proxies.set(id, proxy);
    if (!current || !isSamePlace(current, proxy)) {
      this.state().log.append([proxyRegistered(change, proxy)]);
    }
    return presentProxy(proxy);
  }

  override async heartbeat(id: ProxyId, report: ProxyReport): Promise<Proxy | undefined> {
    const current = this.state().proxies.get(id);
    if (current === undefined) {
      return undefined;
    }
    const proxy = noteReport(noteHeartbeat(current, new Date()), report);
    this.state().proxies.set(id, proxy);
    return presentProxy(proxy);
  }

  override async silences(): Promise<ReadonlyMap<ProxyId, number>> {
    const now = Date.now();
    return new Map(
      [...this.state().proxies.values()].flatMap(({ id, lastHeartbeatAt }): [ProxyId, number][] =>
        lastHeartbeatAt === undefined ? [] : [[id, now - lastHeartbeatAt.getTime()]],
      ),
    );
  }

  override async remove(id: ProxyId, change: ChangeContext): Promise<boolean> {
    const proxy = this.state().proxies.get(id);
    if (!proxy) {
      return false;
    }
    this.state().proxies.delete(id);
    this.state().log.append([proxyRemoved(change, proxy)]);
    return true;
  }

  override async find(id: ProxyId): Promise<Proxy | undefined> {
    const proxy = this.state().proxies.get(id);
    return proxy && presentProxy(proxy);
  }

  override async list(): Promise<Proxy[]> {
    return [...this.state().proxies.values()]
      .sort((a, b) => compareValues(a.pool, b.pool) || compareValues(a.id, b.id))
      .map(presentProxy);
  }

  override async observe(observations: readonly HealthObservation[], change: ChangeContext): Promise<void> {
    const records: LogRecord[] = [];
    for (const observation of observations) {
      const current = this.state().proxies.get(observation.id);
      if (current) {
        const proxy = observeProxy(current, observation);
        this.state().proxies.set(proxy.id, proxy);
        if (proxy.health !== current.health) {
          records.push(proxyHealthChanged(change, proxy, current.health));
        }
      }
    }
    this.state().log.append(records);
  }
}
