import { UsageStore, type PoolName, type ProxyId, type ProxyUsage, type StoredUsage } from '@palisade/domain';
import { compareValues } from '@palisade/scim';
import type { MemoryState } from './memory-state.js';

export class MemoryUsageStore extends UsageStore {
  constructor(private readonly state: () => MemoryState) {
    super();
  }

  override async put(proxy: ProxyId, pool: PoolName, usage: ProxyUsage): Promise<void> {
    const state = this.state();
    state.usages.set(proxy, { proxy, pool, usage: structuredClone(usage), atMs: Date.now() });
  }

  override async list({
    maxAgeMs,
    limit,
    after = '' as ProxyId,
  }: Parameters<UsageStore['list']>[0]): Promise<StoredUsage[]> {
    const state = this.state();
    const nowMs = Date.now();
    return [...state.usages.values()]
      .filter(({ proxy, atMs }) => compareValues(proxy, after) > 0 && nowMs - atMs <= maxAgeMs)
      .sort((a, b) => compareValues(a.proxy, b.proxy))
      .slice(0, limit)
      .map(({ atMs, ...rest }) => structuredClone({ ...rest, ageMs: nowMs - atMs }));
  }

  override async remove(proxy: ProxyId, maxAgeMs: number): Promise<void> {
    const state = this.state();
    const oldestMs = Date.now() - maxAgeMs;
    for (const [key, { atMs }] of state.usages) {
      if (key === proxy || atMs < oldestMs) {
        state.usages.delete(key);
      }
    }
  }
}
