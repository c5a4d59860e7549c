import { Logger } from '@nestjs/common';
import type { JsonObject, Store, TenantId } from '@palisade/domain';
import type { Registry } from '../routing/table/registry.js';
import { reasonOf, type ProvisioningFailure, type TenantProvisioner } from './tenant-provisioner.js';

/** From the end of one round over all tenants to the beginning of the next one. */
const PAUSE_MS = 300_000;
/** Tenants that are verified before other work of the backend is looked for. */
const BATCH_SIZE = 5;
/** What a status has room for. */
const MAX_LISTED = 20;
const ACTOR = 'control-plane';

/**
 * Compares every tenant on one backend with what provisioning has made, in rounds with a pause of five minutes, and repairs
 * what differs: a user that is gone after a restart, a password or settings that a tenant has changed itself. Each repair
 * is in the log.
 */
export class TenantVerification {
  private readonly logger = new Logger(TenantVerification.name);
  private waiting: TenantId[] = [];
  private nextRoundAt = 0;
  private completedAt: Date | undefined;
  private repairs: JsonObject[] = [];
  /** What differs although it was provisioned, for an operator to look at. */
  private unrepaired = new Map<TenantId, readonly string[]>();
  /** The same, of the round before: provisioning it again would change nothing. */
  private unrepairedBefore: ReadonlyMap<TenantId, readonly string[]> = new Map();
  private readonly failures: ProvisioningFailure[] = [];

  constructor(
    private readonly provisioner: TenantProvisioner,
    private readonly registry: Pick<Registry, 'caughtUp'>,
    private readonly log: Pick<Store['log'], 'append'>,
    private readonly onRepair: () => void,
  ) {}

  /**
   * Verifies the next tenants, if a round is under way or due.
   *
   * @param isPending whether provisioning the tenant is to be retried anyway
   * @returns those that could not be repaired, which are to be retried
   */
  async advance(
    isPending: (tenant: TenantId) => boolean,
    signal: AbortSignal,
  ): Promise<readonly ProvisioningFailure[]> {
    const isUnderWay = this.waiting.length > 0;
    if (!isUnderWay && Date.now() < this.nextRoundAt) {
      return [];
    }
    const table = await this.registry.caughtUp();
    const all = table.list({ limit: table.tenantCount }).map(({ tenant }) => tenant.id);
    if (!isUnderWay) {
      this.waiting = [...all].toReversed();
      this.unrepairedBefore = this.unrepaired;
      this.unrepaired = new Map();
      this.failures.length = 0;
    }
    const known = new Set(all);
    const batch = this.waiting.splice(-BATCH_SIZE).toReversed();
    const unrepaired: ProvisioningFailure[] = [];
    for (const tenant of batch.filter((id) => known.has(id) && !isPending(id))) {
      signal.throwIfAborted();
      unrepaired.push(...(await this.examine(tenant, all, signal)));
    }
    if (this.waiting.length === 0) {
      this.completedAt = new Date();
      this.nextRoundAt = Date.now() + PAUSE_MS;
    }
    return unrepaired;
  }

  describe(): JsonObject {
    const [first] = this.failures;
    return {
      ...(this.completedAt !== undefined && { completed_at: this.completedAt.toISOString() }),
      repairs: this.repairs,
      unrepaired: [...this.unrepaired]
        .slice(0, MAX_LISTED)
        .map(([tenant, differences]) => ({ tenant, differences: [...differences] })),
      ...(first !== undefined && {
        error: `${this.failures.length} tenants could not be verified, first ${first.tenant}: ${first.reason}`,
      }),
    };
  }

  private async examine(
    tenant: TenantId,
    all: readonly TenantId[],
    signal: AbortSignal,
  ): Promise<readonly ProvisioningFailure[]> {
    try {
      const differences = await this.provisioner.verify(tenant);
      if (differences.length === 0) {
        return [];
      }
      if (String(differences) === String(this.unrepairedBefore.get(tenant))) {
        this.unrepaired.set(tenant, differences);
        return [];
      }
      const failures = await this.provisioner.provide({ present: [tenant], removed: [], all }, signal);
      if (failures.length > 0) {
        return failures;
      }
      const left = await this.provisioner.verify(tenant);
      if (left.length > 0) {
        this.unrepaired.set(tenant, left);
      }
      const repaired = differences.filter((difference) => !left.includes(difference));
      if (repaired.length > 0) {
        await this.tell(tenant, repaired);
      }
    } catch (error) {
      signal.throwIfAborted();
      this.failures.push({ tenant, reason: reasonOf(error) });
    }
    return [];
  }

  private async tell(tenant: TenantId, repaired: string[]): Promise<void> {
    const { backend } = this.provisioner;
    const timestamp = new Date();
    this.onRepair();
    this.logger.warn(`${backend}, tenant "${tenant}" was not as provisioned, and was repaired: ${repaired.join('; ')}`);
    this.repairs = [...this.repairs, { tenant, at: timestamp.toISOString(), differences: repaired }].slice(-MAX_LISTED);
    await this.log.append([
      {
        timestamp,
        tenantId: tenant,
        userId: ACTOR,
        action: 'tenant.repair',
        resource: `tenant:${tenant}`,
        result: 'success',
        detail: { backend, differences: repaired },
      },
    ]);
  }
}
