import {
  type ComponentStatus,
  type LoadBalancerVersion,
  type NamespaceBinding,
  type Provider,
  type ProviderId,
  type ProviderToken,
  type ProxyId,
  type PoolName,
  type ProxyUsage,
  type SigningPurpose,
  StoreUnavailableError,
  type StoredCapLedger,
} from '@palisade/domain';
import type { PlacedProxy } from '../proxy-content.js';
import { RecordLog } from './record-log.js';
import { ProviderDirectory } from './directory/provider-directory.js';
import { LeaseTable } from './lease-table.js';
import { ReloadTable } from './reload-table.js';
import { TenantRegistry } from './tenant-registry.js';

interface KeptUsage {
  readonly proxy: ProxyId;
  readonly pool: PoolName;
  readonly usage: ProxyUsage;
  readonly atMs: number;
}

const MAX_LOG_RECORDS = 100_000;
const RETRY_AFTER_SECONDS = 1;

export interface StoredBinding extends NamespaceBinding {
  readonly isSuspended: boolean;
}

/**
 * What the parts of one memory store share. Their methods change it without awaiting anything in between, which makes every
 * change atomic. Nothing remains of a provider without objects, tokens and bindings.
 */
export class MemoryState {
  /** Only directories that hold something. */
  readonly directories = new Map<ProviderId, ProviderDirectory>();
  readonly bindings = new Map<string, StoredBinding>();
  readonly providers = new Map<ProviderId, Provider>();
  /** By id, which is unique over all providers. */
  readonly tokens = new Map<string, ProviderToken>();
  readonly signingKeys = new Map<SigningPurpose, string>();
  readonly tenants = new TenantRegistry();
  readonly proxies = new Map<ProxyId, PlacedProxy>();
  /** By pool and backend. */
  readonly capLedgers = new Map<string, StoredCapLedger>();
  readonly usages = new Map<ProxyId, KeptUsage>();
  readonly leases = new LeaseTable(() => Date.now());
  /** Versions of the load balancer, by id. */
  readonly versions = new Map<string, LoadBalancerVersion>();
  readonly reloads = new ReloadTable(() => Date.now());
  /** By component. */
  readonly statuses = new Map<string, ComponentStatus>();
  readonly log = new RecordLog(MAX_LOG_RECORDS);
  private isOpen = true;
  private lastSequence = 0;

  /** @throws {StoreUnavailableError} once the store is closed */
  whileOpen(): this {
    if (!this.isOpen) {
      throw new StoreUnavailableError(RETRY_AFTER_SECONDS);
    }
    return this;
  }

  close(): void {
    this.isOpen = false;
  }

  /** A number greater than all before it; resources are in order of creation by it. */
  nextSequence(): number {
    this.lastSequence += 1;
    return this.lastSequence;
  }
}
