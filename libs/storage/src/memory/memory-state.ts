import {
  StoreUnavailableError,
  type ComponentStatus,
  type LoadBalancerVersion,
  type Provider,
  type ProviderId,
  type ProxyId,
  type SigningPurpose,
} from '@palisade/domain';
import type { PlacedProxy } from '../proxy-content.js';
import { RecordLog } from './record-log.js';
import { BindingTable } from './binding-table.js';
import { ProviderDirectory } from './directory/provider-directory.js';
import { LeaseTable } from './lease-table.js';
import { ReloadTable } from './reload-table.js';
import { TokenTable } from './token-table.js';
import { TenantRegistry } from './tenant-registry.js';

const MAX_LOG_RECORDS = 100_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * What the parts of one memory store share. Their methods change it without awaiting anything in between, which makes every
 * change atomic. Nothing remains of a provider without objects, tokens and bindings.
 */
export class MemoryState {
  /** Only directories that hold something. */
  readonly directories = new Map<ProviderId, ProviderDirectory>();
  readonly bindings = new BindingTable();
  readonly providers = new Map<ProviderId, Provider>();
  readonly tokens = new TokenTable();
  readonly signingKeys = new Map<SigningPurpose, string>();
  readonly tenants = new TenantRegistry();
  readonly proxies = new Map<ProxyId, PlacedProxy>();
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
  requireOpen(): void {
    if (!this.isOpen) {
      throw new StoreUnavailableError(RETRY_AFTER_SECONDS);
    }
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
