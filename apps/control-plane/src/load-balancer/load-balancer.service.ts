import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Optional } from '@nestjs/common';
import { RELOAD_REQUEST_LIFETIME_MS, Store, type ChangeContext, type LoadBalancerVersion } from '@palisade/domain';
import { v7 as uuidv7 } from 'uuid';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { Leadership } from '../leadership/leadership.js';
import { Registry } from '../routing/table/registry.js';
import type { ChangePreview } from './change-preview.js';
import { COMPONENT, readReport } from './load-balancer-report.js';
import {
  LeaderUnavailableError,
  LoadBalancerNotConfiguredError,
  ReloadUnsuccessfulError,
} from './load-balancer.errors.js';
import { LoadBalancer, type LoadBalancerStatus } from './load-balancer.js';

const POLL_INTERVAL_MS = 100;
/** Longer than it takes to elect another leader. */
const LEADERLESS_MS = 8000;
const RETRY_AFTER_SECONDS = 2;

/**
 * What operators do with the load balancer, on any replica, although only the leader touches it. Every method throws
 * {@link LoadBalancerNotConfiguredError} when the configuration has no load balancer, and {@link StoreUnavailableError}
 * while the store cannot be reached.
 */
@Injectable()
export class LoadBalancerService {
  constructor(
    private readonly store: Store,
    private readonly leadership: Leadership,
    private readonly registry: Registry,
    private readonly settings: ControlPlaneSettings,
    @Optional() private readonly loadBalancer?: LoadBalancer,
  ) {}

  /**
   * Checks and loads the whole configuration again: leaves the request in the store for the leader, and waits for its answer.
   *
   * @throws {ReloadUnsuccessfulError} when the configuration was not applied
   * @throws {LeaderUnavailableError} when no replica leads, or the leader does not answer in time
   */
  async reload({ actor, at }: ChangeContext): Promise<LoadBalancerVersion> {
    this.requireConfigured();
    const id = uuidv7();
    await this.store.operations.requestReload({ id, actor, at });
    const version = await this.awaitAnswer(id);
    switch (version.result) {
      case 'applied':
      case 'unchanged':
        return version;
      case 'rejected':
      case 'rolled_back':
      case 'failed':
        throw new ReloadUnsuccessfulError(version, version.result);
    }
  }

  /**
   * What applying the current state would change. The preview compares with the leader's own files, so only the leader has
   * one.
   *
   * @throws {RejectedStateError} when the state cannot become a configuration
   * @throws {LeaderUnavailableError} on other replicas
   */
  async preview(): Promise<ChangePreview> {
    const loadBalancer = this.requireConfigured();
    if (!this.leadership.isLeader) {
      throw new LeaderUnavailableError(RETRY_AFTER_SECONDS);
    }
    const [table, proxies] = await Promise.all([this.registry.current(), this.store.proxies.list()]);
    return loadBalancer.preview(await table.desiredState(proxies, this.settings.health));
  }

  /** Newest first; those before `before` (an id). */
  async listVersions(page: { readonly before?: string; readonly limit: number }): Promise<LoadBalancerVersion[]> {
    this.requireConfigured();
    return this.store.operations.listVersions(page);
  }

  async status(): Promise<LoadBalancerStatus> {
    const loadBalancer = this.requireConfigured();
    if (this.leadership.isLeader) {
      return loadBalancer.status();
    }
    const statuses = await this.store.operations.statuses();
    const report = statuses.find(({ component }) => component === COMPONENT);
    const [lastVersion] = await this.store.operations.listVersions({ limit: 1 });
    return { ...readReport(report?.detail, loadBalancer.status()), lastVersion };
  }

  private async awaitAnswer(id: string): Promise<LoadBalancerVersion> {
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

  private requireConfigured(): LoadBalancer {
    if (this.loadBalancer === undefined) {
      throw new LoadBalancerNotConfiguredError();
    }
    return this.loadBalancer;
  }
}
