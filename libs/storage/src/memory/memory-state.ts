import { StoreUnavailableError, type Provider, type ProviderId } from '@palisade/domain';
import { AuditLog } from './audit/audit-log.js';
import { BindingTable } from './bindings/binding-table.js';
import { ProviderDirectory } from './directory/provider-directory.js';
import { TokenTable } from './providers/token-table.js';

const MAX_AUDIT_EVENTS = 100_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * What the parts of one memory store share. A part's method changes it without awaiting anything in between: that makes
 * every change atomic. Nothing is kept of a provider that has no objects, tokens or bindings any more.
 */
export class MemoryState {
  /** Only directories that hold something. */
  readonly directories = new Map<ProviderId, ProviderDirectory>();
  readonly bindings = new BindingTable();
  readonly providers = new Map<ProviderId, Provider>();
  readonly tokens = new TokenTable();
  readonly audit = new AuditLog(MAX_AUDIT_EVENTS);
  signingKey: string | undefined;
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
