import type { PolicyState } from '../routing/table/governed-proxies.js';
import type { JsonObject } from '@palisade/domain';
import { AnyObject, Flag, Integer, List, Nested, Text, Time } from '@palisade/platform';

export class LeaderResponse {
  @Text('The replica.', { example: 'control-plane-0:1:01992f4e' })
  readonly holder!: string;

  @Integer('Increases with each change of leadership.', { example: 3 })
  readonly epoch!: number;

  @Time('Valid until then, unless it is renewed.', { example: '2026-11-20T08:30:05.000Z' })
  readonly expires_at!: string;
}

export class ComponentStatusResponse {
  @Text('`load_balancer`, `dns`, `kubernetes`, `provisioning` or `audit`.', { example: 'dns' })
  readonly component!: string;

  @Text('The replica that reported it.', { example: 'control-plane-0:1:01992f4e' })
  readonly reported_by!: string;

  @Flag(
    'Whether the present leader reported it. If not, the report may be out of date: nobody leads, or the configuration no longer has the component.',
    { example: true },
  )
  readonly is_current!: boolean;

  @Time('When it changed to this.')
  readonly at!: string;

  @AnyObject('Depends on the component.', {
    example: { names: [{ name: 'standard.pools.example.com', state: 'applied', addresses: ['10.0.0.7'] }] },
  })
  readonly detail!: JsonObject;
}

/** Proxies by how they enforce the latest revision; `GET /api/v1/proxies` says which. */
export class PolicyStatusResponse implements Readonly<Record<PolicyState, number>> {
  @Integer('Proxies that enforce it.', { example: 4 })
  readonly current!: number;

  @Integer('Proxies that do not have it yet.', { example: 0 })
  readonly behind!: number;

  @Integer('Proxies that cannot enforce it, and keep an earlier one.', { example: 0 })
  readonly rejected!: number;

  @Integer('Proxies that do not hear of the control plane.', { example: 0 })
  readonly stale!: number;

  @Integer('Proxies that say nothing of a policy.', { example: 0 })
  readonly unmanaged!: number;
}

export class StatusResponse {
  @Integer('Revision of the registry, which increases with each change of a tenant.', { example: 42 })
  readonly revision!: number;

  @Flag('Whether the replica that answers leads.', { example: true })
  readonly is_leader!: boolean;

  @Nested('The replica that leads; absent while none does.', LeaderResponse, { optional: true })
  readonly leader?: LeaderResponse;

  @Nested('How many proxies enforce it.', PolicyStatusResponse)
  readonly policy!: PolicyStatusResponse;

  @List('What the leader has reported, in order of component.', ComponentStatusResponse)
  readonly components!: readonly ComponentStatusResponse[];
}
