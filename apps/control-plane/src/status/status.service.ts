import { Injectable } from '@nestjs/common';
import { Store, type ComponentStatus, type HeldLease } from '@palisade/domain';
import { Leadership } from '../leadership/leadership.js';
import type { ComponentStatusResponse, LeaderResponse, StatusResponse } from './status.dto.js';

/** What the leader does and finds, as any replica tells it. */
@Injectable()
export class StatusService {
  constructor(
    private readonly store: Store,
    private readonly leadership: Leadership,
  ) {}

  async get(): Promise<StatusResponse> {
    const [revision, leader, components] = await Promise.all([
      this.store.tenants.revision(),
      this.leadership.findLeader(),
      this.store.operations.statuses(),
    ]);
    return {
      revision,
      is_leader: this.leadership.isLeader,
      ...(leader !== undefined && { leader: toLeader(leader) }),
      components: components.map((component) => toComponent(component, leader)),
    };
  }
}

function toLeader({ holder, epoch, expiresAt }: HeldLease): LeaderResponse {
  return { holder, epoch, expires_at: expiresAt.toISOString() };
}

function toComponent(
  { component, detail, holder, at }: ComponentStatus,
  leader: HeldLease | undefined,
): ComponentStatusResponse {
  const isCurrent = holder === leader?.holder;
  return { component, reported_by: holder, is_current: isCurrent, at: at.toISOString(), detail };
}
