import {
  CapStore,
  currentEntries,
  divideCap,
  EMPTY_CAP_LEDGER,
  releaseCap,
  type BackendReport,
  type CapPart,
  type PoolName,
  type ProxyId,
  type StoredCapLedger,
} from '@palisade/domain';
import { compareValues } from '@palisade/scim';
import type { MemoryState } from './memory-state.js';

export class MemoryCapStore extends CapStore {
  constructor(private readonly state: () => MemoryState) {
    super();
  }

  override async report(pool: PoolName, reports: readonly BackendReport[]): Promise<CapPart[]> {
    const state = this.state();
    return reports.map((report) => {
      const { backend } = report;
      const key = JSON.stringify([pool, backend]);
      const before = state.capLedgers.get(key)?.ledger ?? EMPTY_CAP_LEDGER;
      const { ledger, part } = divideCap(before, report, Date.now());
      state.capLedgers.set(key, { pool, backend, ledger });
      return part;
    });
  }

  override async release(proxy: ProxyId): Promise<void> {
    const state = this.state();
    for (const [key, stored] of state.capLedgers) {
      state.capLedgers.set(key, { ...stored, ledger: releaseCap(stored.ledger, proxy) });
    }
  }

  override async ledgers(): Promise<StoredCapLedger[]> {
    const state = this.state();
    return [...state.capLedgers.values()]
      .map(({ ledger, ...rest }) => ({ ...rest, ledger: { ...ledger, entries: currentEntries(ledger, Date.now()) } }))
      .sort((a, b) => compareValues(a.pool, b.pool) || compareValues(a.backend, b.backend));
  }
}
