import { type HeldLease, LeaseStore } from '@palisade/domain';
import { requireLeaseRequest } from '../operations-content.js';
import type { MemoryState } from './memory-state.js';

export class MemoryLeaseStore extends LeaseStore {
  constructor(private readonly state: () => MemoryState) {
    super();
  }

  override async acquire(name: string, holder: string, ttlMs: number): Promise<HeldLease> {
    requireLeaseRequest(name, holder, ttlMs);
    return copyLease(this.state().leases.acquire(name, holder, ttlMs));
  }

  override async release(name: string, holder: string): Promise<boolean> {
    return this.state().leases.release(name, holder);
  }

  override async find(name: string): Promise<HeldLease | undefined> {
    const lease = this.state().leases.find(name);
    return lease && copyLease(lease);
  }
}

function copyLease(lease: HeldLease): HeldLease {
  return { ...lease, expiresAt: new Date(lease.expiresAt) };
}
