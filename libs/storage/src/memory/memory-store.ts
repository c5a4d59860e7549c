import { Store } from '@palisade/domain';
import { MemoryLogStore } from './memory-log-store.js';
import { MemoryCapStore } from './memory-cap-store.js';
import { MemoryUsageStore } from './memory-usage-store.js';
import { MemoryBindingStore } from './memory-binding-store.js';
import { MemoryDirectoryStore } from './directory/memory-directory-store.js';
import { MemoryLeaseStore } from './memory-lease-store.js';
import { MemoryState } from './memory-state.js';
import { MemoryOperationsStore } from './memory-operations-store.js';
import { MemoryProviderStore } from './memory-provider-store.js';
import { MemoryProxyStore } from './memory-proxy-store.js';
import { MemoryTenantStore } from './memory-tenant-store.js';

/**
 * A store that keeps everything in this process and loses it with the process; for programmatic use and tests.
 *
 * Getting a resource by reference takes constant time, as does a filter that demands equality of `id`, `externalId`,
 * `userName` or `displayName`; any other filter looks at every resource of the provider. The log keeps the
 * latest 100,000 records. After `close` every operation throws {@link StoreUnavailableError}.
 */
export class MemoryStore extends Store {
  private readonly memory = new MemoryState();
  private readonly state = () => this.memory.whileOpen();
  override readonly directory = new MemoryDirectoryStore(this.state);
  override readonly bindings = new MemoryBindingStore(this.state);
  override readonly providers = new MemoryProviderStore(this.state);
  override readonly tenants = new MemoryTenantStore(this.state);
  override readonly proxies = new MemoryProxyStore(this.state);
  override readonly caps = new MemoryCapStore(this.state);
  override readonly usage = new MemoryUsageStore(this.state);
  override readonly leases = new MemoryLeaseStore(this.state);
  override readonly operations = new MemoryOperationsStore(this.state);
  override readonly log = new MemoryLogStore(this.state);

  /** There is no schema to bring up to date. */
  override async migrate(): Promise<void> {
    this.state();
  }

  override async check(): Promise<void> {
    this.state();
  }

  override async close(): Promise<number> {
    this.memory.close();
    return 0;
  }
}
