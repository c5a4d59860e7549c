import { Injectable } from '@nestjs/common';
import { Store, type ComponentStatus, type HeldLease } from '@palisade/domain';
import { Leadership } from '../leadership/leadership.js';
import { POLICY_STATES, policyStateOf } from '../routing/table/governed-proxies.js';
import type { ComponentStatusResponse, LeaderResponse, PolicyStatusResponse, StatusResponse } from './status.dto.js';

/** What the leader does and finds, as any replica tells it. */
@Injectable()
export class StatusService {
  constructor(
    private readonly store: Store,
    private readonly leadership: Leadership,
  ) {}

  async get(): Promise<StatusResponse> {
    const [revision, leader, components, proxies] = await Promise.all([
      this.store.tenants.revision(),
      this.leadership.findLeader(),
      this.store.operations.statuses(),
      this.store.proxies.list(),
    ]);
    const states = proxies.map((proxy) => policyStateOf(proxy, revision));
    return {
      revision,
      is_leader: this.leadership.isLeader,
      ...(leader !== undefined && { leader: toLeader(leader) }),
      policy: Object.fromEntries(
        POLICY_STATES.map((state) => [state, states.filter((each) => each === state).length]),
      ) as unknown as PolicyStatusResponse,
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
