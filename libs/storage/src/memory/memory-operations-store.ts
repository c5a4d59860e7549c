import {
  type ComponentStatus,
  type HeldLease,
  type LoadBalancerVersion,
  OperationsStore,
  type ReloadRequest,
} from '@palisade/domain';
import { compareValues } from '@palisade/scim';
import { frozenCopy } from '../json.js';
import {
  MAX_KEPT_VERSIONS,
  requireStorableStatus,
  storableReloadRequest,
  storableVersion,
} from '../operations-content.js';
import { isStorable } from '../storable-text.js';
import type { MemoryState } from './memory-state.js';

export class MemoryOperationsStore extends OperationsStore {
  constructor(private readonly state: () => MemoryState) {
    super();
  }

  override async recordVersion(version: LoadBalancerVersion, lease: HeldLease): Promise<void> {
    const kept = storableVersion(version);
    this.state().leases.requireCurrent(lease);
    const { versions } = this.state();
    if (!versions.has(kept.id)) {
      versions.set(kept.id, kept);
    }
    for (const id of [...versions.keys()].sort(compareValues).slice(0, -MAX_KEPT_VERSIONS)) {
      versions.delete(id);
    }
  }

  override async listVersions({
    before,
    limit,
  }: {
    readonly before?: string;
    readonly limit: number;
  }): Promise<LoadBalancerVersion[]> {
    if (before !== undefined && !isStorable(before)) {
      return [];
    }
    return [...this.state().versions.values()]
      .filter(({ id }) => before === undefined || compareValues(id, before) < 0)
      .sort((a, b) => compareValues(b.id, a.id))
      .slice(0, limit)
      .map((version) => structuredClone(version));
  }

  override async report(status: ComponentStatus, lease: HeldLease): Promise<void> {
    requireStorableStatus(status);
    this.state().leases.requireCurrent(lease);
    this.state().statuses.set(status.component, copyStatus({ ...status, detail: frozenCopy(status.detail) }));
  }

  override async requestReload(request: ReloadRequest): Promise<void> {
    this.state().reloads.add(storableReloadRequest(request));
  }

  override async pendingReloads(): Promise<ReloadRequest[]> {
    return this.state().reloads.pending();
  }

  override async answerReloads(requestIds: readonly string[], versionId: string, lease: HeldLease): Promise<void> {
    this.state().leases.requireCurrent(lease);
    requestIds.forEach((id) => this.state().reloads.answer(id, versionId));
  }

  override async findReloadAnswer(requestId: string): Promise<LoadBalancerVersion | undefined> {
    const version = this.state().versions.get(this.state().reloads.answerTo(requestId) ?? '');
    return version && structuredClone(version);
  }

  override async statuses(): Promise<ComponentStatus[]> {
    return [...this.state().statuses.values()].sort((a, b) => compareValues(a.component, b.component)).map(copyStatus);
  }
}

function copyStatus(status: ComponentStatus): ComponentStatus {
  return { ...status, at: new Date(status.at) };
}
