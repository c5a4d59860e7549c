import { isDeepStrictEqual } from 'node:util';
import {
  InvalidIdentifierError,
  ManagedElsewhereError,
  NamespaceOverlapError,
  TenantConflictError,
  TenantNotFoundError,
  TooManyPatternsError,
  parseTenantId,
  unlessThrown,
  type ChangeContext,
  type DomainError,
  type Tenant,
  type TenantDraft,
  type TenantId,
  type TenantStore,
} from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import type { RoutingTable } from '../../routing/table/routing-table.js';
import type { ControlPlaneSettings } from '../../config/control-plane-settings.js';
import { requireAcceptable } from '../../tenants/require-acceptable.js';
import { PoolRequiredError, SingleTenantError } from '../../tenants/tenants.errors.js';
import { UnknownPoolError } from '../../routing/routing.errors.js';
import type { PrismTenant } from './prism-tenant.js';
import { toDraft } from './prism-tenant.mapper.js';

/** The outcome of reconciling a resource. */
export interface Outcome {
  /** The tenant in the registry, if it comes from the resource, perhaps from an earlier generation of it. */
  readonly tenant?: Tenant;
  /** Why the registry rejects the resource. */
  readonly rejection?: DomainError;
}

export const SOURCE = 'kubernetes';
const ACTOR = 'kubernetes';
/** The registry may change between our read and our write, but hardly this often in a row. */
const MAX_ATTEMPTS = 5;

const REJECTIONS = [
  InvalidIdentifierError,
  InvalidRequestError,
  ManagedElsewhereError,
  NamespaceOverlapError,
  PoolRequiredError,
  SingleTenantError,
  TooManyPatternsError,
  UnknownPoolError,
];

/** Brings resources into the registry. Tenants of other sources stay as they are. */
export class TenantReconciler {
  constructor(
    private readonly tenants: TenantStore,
    private readonly settings: Pick<ControlPlaneSettings, 'pools' | 'routing' | 'compliance'>,
  ) {}

  /**
   * Registers or changes the tenant of a resource. A rejected resource leaves it unchanged.
   *
   * @throws {StoreUnavailableError}
   */
  async apply(resource: PrismTenant, table: RoutingTable): Promise<Outcome> {
    const known = findOwn(table, resource.name);
    try {
      const id = parseTenantId(resource.name);
      const draft = toDraft(resource.spec);
      requireAcceptable(id, draft, table, this.settings);
      const isUnchanged = known !== undefined && isDeepStrictEqual(contentOf(known), contentOf(draft));
      return { tenant: isUnchanged ? known : await this.write(id, draft, known !== undefined) };
    } catch (error) {
      if (!isRejection(error)) {
        throw error;
      }
      return { tenant: known, rejection: error };
    }
  }

  /**
   * Removes the tenant whose resource is gone.
   *
   * @throws {StoreUnavailableError}
   */
  async remove(name: string, table: RoutingTable): Promise<void> {
    const known = findOwn(table, name);
    if (known === undefined) {
      return;
    }
    try {
      await this.tenants.remove(known.id, changeNow(), { source: SOURCE });
    } catch (error) {
      if (!(error instanceof TenantNotFoundError || error instanceof ManagedElsewhereError)) {
        throw error;
      }
    }
  }

  private async write(id: TenantId, draft: TenantDraft, isKnown: boolean): Promise<Tenant> {
    const options = { source: SOURCE, drainMs: this.settings.routing.drainMs } as const;
    let exists = isKnown;
    for (let attempt = 1; ; attempt++) {
      try {
        return exists
          ? await this.tenants.replace(id, draft, changeNow(), options)
          : (await this.tenants.register(id, SOURCE, draft, changeNow())).tenant;
      } catch (error) {
        const isOvertaken = error instanceof TenantConflictError || error instanceof TenantNotFoundError;
        if (!isOvertaken || attempt === MAX_ATTEMPTS) {
          throw error;
        }
        exists = error instanceof TenantConflictError;
      }
    }
  }
}

/** The tenant with this id, if it comes from a resource. */
function findOwn(table: RoutingTable, name: string): Tenant | undefined {
  const id = unlessThrown(InvalidIdentifierError, () => parseTenantId(name));
  const tenant = id && table.find(id)?.tenant;
  return tenant?.source === SOURCE ? tenant : undefined;
}

function isRejection(error: unknown): error is DomainError {
  return REJECTIONS.some((type) => error instanceof type);
}

/** The draft in a canonical form that can be compared. */
function contentOf(draft: TenantDraft): TenantDraft {
  const { namespacePatterns, pool, isolationLevel, tier, annualRevenue, connectionPools, resourceLimits } = draft;
  const patterns = [...new Set(namespacePatterns)].sort();
  return { namespacePatterns: patterns, pool, isolationLevel, tier, annualRevenue, connectionPools, resourceLimits };
}

function changeNow(): ChangeContext {
  return { actor: ACTOR, at: new Date() };
}
