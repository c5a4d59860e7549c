import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Optional } from '@nestjs/common';
import { RELOAD_REQUEST_LIFETIME_MS, Store, type ChangeContext, type LoadBalancerVersion } from '@palisade/domain';
import { v7 as uuidv7 } from 'uuid';
import { Leadership } from '../leadership/leadership.js';
import { Registry } from '../routing/table/registry.js';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { LoadBalancerControl } from './load-balancer-control.js';
import { LeaderUnavailableError, LoadBalancerNotConfiguredError } from './load-balancer.errors.js';
import { COMPONENT, readReport } from './load-balancer-report.js';
import { LoadBalancer, type LoadBalancerStatus } from './load-balancer.js';
import type { ChangePreview } from './change-preview.js';

const POLL_INTERVAL_MS = 100;
/** Longer than it takes to elect another leader. */
const LEADERLESS_MS = 8000;
const RETRY_AFTER_SECONDS = 2;

/**
 * The load balancer from any replica. A reload is left in the store for the leader, and its answer is waited for; a preview
 * needs the leader's own files, so only the leader has one.
 */
@Injectable()
export class ReplicaLoadBalancerControl extends LoadBalancerControl {
  constructor(
    private readonly store: Store,
    private readonly leadership: Leadership,
    private readonly registry: Registry,
    private readonly settings: ControlPlaneSettings,
    @Optional() private readonly loadBalancer?: LoadBalancer,
  ) {
    super();
  }

  override async reload({ actor, at }: ChangeContext): Promise<LoadBalancerVersion> {
    this.require();
    const id = uuidv7();
    await this.store.operations.requestReload({ id, actor, at });
    const startedAt = performance.now();
    let ledAt = startedAt;
    while (performance.now() - startedAt < RELOAD_REQUEST_LIFETIME_MS) {
      const answer = await this.store.operations.findReloadAnswer(id);
      if (answer !== undefined) {
        return answer;
      }
      if (this.leadership.isLeader || (await this.leadership.findLeader()) !== undefined) {
        ledAt = performance.now();
      } else if (performance.now() - ledAt > LEADERLESS_MS) {
        throw new LeaderUnavailableError(RETRY_AFTER_SECONDS);
      }
      await sleep(POLL_INTERVAL_MS);
    }
    throw new LeaderUnavailableError(RETRY_AFTER_SECONDS);
  }

  override async preview(): Promise<ChangePreview> {
    const loadBalancer = this.require();
    if (!this.leadership.isLeader) {
      throw new LeaderUnavailableError(RETRY_AFTER_SECONDS);
    }
    const [table, proxies] = await Promise.all([this.registry.current(), this.store.proxies.list()]);
    return loadBalancer.preview(await table.desiredState(proxies, this.settings.health));
  }

  override async listVersions(page: {
    readonly before?: string;
    readonly limit: number;
  }): Promise<LoadBalancerVersion[]> {
    this.require();
    return this.store.operations.listVersions(page);
  }

  override async status(): Promise<LoadBalancerStatus> {
    const loadBalancer = this.require();
    if (this.leadership.isLeader) {
      return loadBalancer.status();
    }
    const statuses = await this.store.operations.statuses();
    const report = statuses.find(({ component }) => component === COMPONENT);
    const [lastVersion] = await this.store.operations.listVersions({ limit: 1 });
    return { ...readReport(report?.detail, loadBalancer.status()), lastVersion };
  }

  /** @throws {LoadBalancerNotConfiguredError} */
  private require(): LoadBalancer {
    if (this.loadBalancer === undefined) {
      throw new LoadBalancerNotConfiguredError();
    }
    return this.loadBalancer;
  }
}
