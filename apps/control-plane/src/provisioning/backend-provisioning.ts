import {
  StoreUnavailableError,
  type JsonObject,
  type Store,
  type TenantChanges,
  type TenantId,
  type BackendKind,
  isObject,
  type JsonValue,
  parseTenantId,
} from '@palisade/domain';
import { failSpan, inSpan } from '@palisade/platform';
import type { LeaderTerm } from '../leadership/leader-duty.js';
import type { Registry } from '../routing/table/registry.js';
import { PendingTenants } from './pending-tenants.js';
import type { ProvisioningChange, ProvisioningFailure, TenantProvisioner } from './tenant-provisioner.js';
import { TenantVerification } from './tenant-verification.js';

/** A backend with its provisioner. */
export interface ProvisionedBackend {
  readonly provisioner: TenantProvisioner;
  /** Changes with the configuration of the backend. */
  readonly settingsDigest: string;
}

/** The sources of tenants. */
export interface TenantSources {
  readonly tenants: Store['tenants'];
  readonly registry: Pick<Registry, 'caughtUp'>;
  readonly log: Pick<Store['log'], 'append'>;
}

/** With this many failures no new tenants are tried: only the failed ones are, and they still fit into a status. */
const MAX_PENDING = 1000;
const RETRY_AFTER_SECONDS = 1;

/** The progress of one backend in one term: the revision reached, and the tenants that failed. */
export class BackendProvisioning {
  private readonly pending = new PendingTenants();
  private readonly verification: TenantVerification;
  private revision = 0;

  /** Resumes at `progress`; starts from the beginning without it, and when the configuration has changed. */
  constructor(
    private readonly backend: ProvisionedBackend,
    private readonly sources: TenantSources,
    progress?: Progress,
    onRepair: () => void = () => {},
  ) {
    this.verification = new TenantVerification(backend.provisioner, sources.registry, sources.log, onRepair);
    if (progress !== undefined && progress.settingsDigest === backend.settingsDigest) {
      this.revision = progress.revision;
      progress.pending.forEach(({ tenant, reason }) => this.pending.recall(tenant, reason));
    }
  }

  /**
   * Provisions the next tenants; when there are none, verifies some of those that were provisioned, and returns false.
   *
   * @throws {StoreUnavailableError} {@link LeaseLostError}
   */
  async advance(term: LeaderTerm, signal: AbortSignal): Promise<boolean> {
    const { batchSize } = this.backend.provisioner;
    const changes = await this.findChanges(batchSize);
    const due = this.pending.due(Date.now(), batchSize);
    if (due.length === 0 && changes.revision === this.revision) {
      term.lease();
      this.noteFailures(await this.verification.advance((id) => this.pending.has(id), signal));
      return false;
    }
    const ids = new Set([...changes.changed.map(({ id }) => id), ...changes.removed, ...due]);
    term.lease();
    await this.provide(ids, changes.revision, signal);
    this.revision = changes.revision;
    return true;
  }

  describe(): JsonObject {
    return {
      backend: this.backend.provisioner.backend,
      revision: this.revision,
      settings: this.backend.settingsDigest,
      pending: this.pending.describe(),
      verification: this.verification.describe(),
    };
  }

  private async findChanges(limit: number): Promise<Pick<TenantChanges, 'revision' | 'changed' | 'removed'>> {
    if (this.pending.size >= MAX_PENDING) {
      return { revision: this.revision, changed: [], removed: [] };
    }
    const changes = await this.sources.tenants.changesSince(this.revision, limit);
    // Only a store that was restored to an earlier state goes back.
    return changes.revision < this.revision ? this.sources.tenants.changesSince(0, limit) : changes;
  }

  private async provide(ids: ReadonlySet<TenantId>, revision: number, signal: AbortSignal): Promise<void> {
    const table = await this.sources.registry.caughtUp();
    if (table.revision < revision) {
      // While the store is unreachable the table is old, and new tenants would look like removed ones.
      throw new StoreUnavailableError(RETRY_AFTER_SECONDS);
    }
    const all = table.list({ limit: table.tenantCount }).map(({ tenant }) => tenant.id);
    const known = new Set(all);
    const [present, removed] = [[...ids].filter((id) => known.has(id)), [...ids].filter((id) => !known.has(id))];
    const failures = await this.attempt({ present, removed, all }, signal);
    const failed = new Set(failures.map(({ tenant }) => tenant));
    [...ids].filter((id) => !failed.has(id)).forEach((id) => this.pending.done(id));
    this.noteFailures(failures);
  }

  private noteFailures(failures: readonly ProvisioningFailure[]): void {
    failures.forEach(({ tenant, reason }) => this.pending.failed(tenant, reason, Date.now()));
  }

  private attempt(change: ProvisioningChange, signal: AbortSignal): Promise<readonly ProvisioningFailure[]> {
    const { provisioner } = this.backend;
    const attributes = {
      'palisade.backend': provisioner.backend,
      'palisade.tenants.present': change.present.length,
      'palisade.tenants.removed': change.removed.length,
    };
    return inSpan('provision tenants', { attributes }, async (span) => {
      const failures = await provisioner.provide(change, signal);
      span.setAttribute('palisade.tenants.failed', failures.length);
      if (failures.length > 0) {
        failSpan(span, 'pending');
      }
      return failures;
    });
  }
}

/** The stored progress of one backend. */
export interface Progress {
  /** The revision of the registry. */
  readonly revision: number;
  /** The digest of the configuration at that time. */
  readonly settingsDigest: string;
  readonly pending: readonly { readonly tenant: TenantId; readonly reason: string }[];
}

/** Reads the report of an earlier leader, by backend. Unreadable parts are left out: their backends start again, harmlessly. */
export function readProgress(detail: JsonObject | undefined): ReadonlyMap<BackendKind, Progress> {
  return new Map(
    objectsIn(detail?.['backends']).flatMap(({ backend, revision, settings, pending }): [BackendKind, Progress][] => {
      if (!Number.isSafeInteger(revision) || typeof settings !== 'string') {
        return [];
      }
      const tenants = objectsIn(pending).map(({ tenant, reason }) => ({
        tenant: parseTenantId(String(tenant)),
        reason: String(reason),
      }));
      return [[backend as BackendKind, { revision: Number(revision), settingsDigest: settings, pending: tenants }]];
    }),
  );
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each): each is JsonObject => isObject(each)) : [];
}
