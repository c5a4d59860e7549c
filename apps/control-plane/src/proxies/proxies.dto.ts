import { isIP } from 'node:net';
import type { CapPart, ProxyHealth, ProxySource } from '@palisade/domain';
import { findForbiddenAddress } from '@palisade/guards';
import { PickType, type ExamplesObject } from '@nestjs/swagger';
import {
  Choice,
  Decimal,
  Flag,
  IgnoresFieldsOf,
  Integer,
  List,
  Name,
  Nested,
  Text,
  Time,
  Shape,
} from '@palisade/platform';
import { CAP_PARTS } from '../usage/usage.dto.js';
import { POLICY_STATES, type PolicyState } from '../routing/table/governed-proxies.js';
import { PolicyReportBody } from './heartbeat.dto.js';

const HEALTH = ['unknown', 'healthy', 'unhealthy'] as const satisfies readonly ProxyHealth[];
const SOURCES = ['registration', 'static', 'dns_srv', 'kubernetes'] as const satisfies readonly ProxySource[];

const MAX_HOST_LENGTH = 253;
const HOST_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const DEFAULT_WEIGHT = 100;
const WEIGHT = { minimum: 1, maximum: 256, example: DEFAULT_WEIGHT } as const;
const DRAINING = 'Whether it finishes what it has and takes nothing new.';

export class AdjustProxyBody {
  @Integer('Relative to the others of the pool.', { ...WEIGHT, optional: true })
  readonly weight?: number;

  @Flag(DRAINING, { optional: true, example: true })
  readonly draining?: boolean;
}

export class RemoveProxyParameters {
  @Choice(
    'Says that no process of the proxy has a connection to a backend any more; caps are exceeded if one has.',
    ['closed'],
    {
      example: 'closed',
      optional: true,
    },
  )
  readonly connections?: 'closed';
}

/** What a proxy enforces, beside what it should. */
export class ProxyPolicyResponse extends PolicyReportBody {
  @Choice(
    '`current`; `behind` for a moment after each change; `rejected`: it cannot enforce a later revision; `stale`: it does not hear of the control plane.',
    POLICY_STATES,
    { example: 'current' },
  )
  readonly state!: PolicyState;

  @Integer('The revision that it should enforce.', { example: 4711 })
  readonly wanted_revision!: number;

  @Integer('Revisions between the two.', { example: 0 })
  readonly behind!: number;
}

/** A proxy in the list of its pool. */
export class PoolProxyResponse {
  @Text('Id of the proxy.', { example: 'standard-1' })
  readonly id!: string;

  @Text('Name or address.', { example: '10.0.0.7' })
  readonly host!: string;

  @Integer('Port.', { example: 8080 })
  readonly port!: number;

  @Integer('Relative to the others of the pool.', WEIGHT)
  readonly weight!: number;

  @Choice('How the control plane learned of it.', SOURCES, { example: 'registration' })
  readonly source!: ProxySource;

  @Choice('`unknown` until it was checked for the first time.', HEALTH, { example: 'healthy' })
  readonly health!: ProxyHealth;

  @Text('Why its health is what it is, for people.', { example: 'answered 200', optional: true })
  readonly health_detail?: string;

  @Flag(DRAINING, { example: false })
  readonly draining!: boolean;

  @Text('Version of its isolation library, as its last heartbeat said.', { example: '1.0.0', optional: true })
  readonly version?: string;

  @Nested(
    'The policy that it enforces, as its last heartbeat said; absent for a proxy that says nothing of it.',
    ProxyPolicyResponse,
    {
      optional: true,
    },
  )
  readonly policy?: ProxyPolicyResponse;
}

export class ProxyResponse extends PoolProxyResponse {
  @Text('Name of the pool.', { example: 'standard' })
  readonly pool!: string;

  @Time('When it became known.')
  readonly registered_at!: string;

  @Time('Its last heartbeat, when it registered itself.', { example: '2026-11-20T08:31:00.000Z', optional: true })
  readonly last_heartbeat_at?: string;

  @Text('The process of the proxy, as its last heartbeat said.', { example: '8f0e2a71', optional: true })
  readonly instance?: string;

  @Time('Since when its health is what it is.', { example: '2026-11-20T08:30:05.000Z', optional: true })
  readonly health_changed_at?: string;
}

@IgnoresFieldsOf(ProxyResponse)
export class RegisterProxyBody {
  @Text('Id of the proxy: labels as in DNS with dots between.', { maxLength: 253, example: 'standard-1' })
  readonly id!: string;

  @Name('Name of the pool.', { example: 'standard' })
  readonly pool!: string;

  @Text('Name or address at which the load balancer reaches it.', {
    maxLength: MAX_HOST_LENGTH,
    isValid: isHost,
    expected: 'a DNS name, or an IP address that is neither link-local nor of a metadata service',
    example: '10.0.0.7',
  })
  readonly host!: string;

  @Integer('Port for requests and health checks.', { minimum: 1, maximum: 65_535, example: 8080 })
  readonly port!: number;

  @Integer('Relative to the others of the pool.', { ...WEIGHT, default: DEFAULT_WEIGHT })
  readonly weight: number = DEFAULT_WEIGHT;

  @Flag(DRAINING, { default: false, example: false })
  readonly draining: boolean = false;
}

/** A proxy that takes requests. */
export class HealthyProxyResponse extends PickType(ProxyResponse, ['id', 'pool', 'host', 'port']) {}

export class RegisteredProxyResponse extends ProxyResponse {
  @Decimal('Time between two heartbeats, in seconds.', { example: 5 })
  readonly heartbeat_interval_seconds!: number;

  @Shape('The parts of the caps that the proxy asked for, by backend.', CAP_PARTS, { optional: true })
  readonly caps?: Readonly<Record<string, CapPart>>;
}

export class ProxyList {
  @List('All proxies, in order of pool and id.', ProxyResponse)
  readonly items!: readonly ProxyResponse[];
}

/** An address of either family, or a DNS name without its trailing dot: nothing else may get into a load balancer's file. */
function isHost(text: string): boolean {
  const isAddress = isIP(text) > 0 && !text.includes('%');
  return (isAddress || isDnsName(text)) && findForbiddenAddress(text) === undefined;
}

/** Resolvers take a name whose last label is a number for an address: `2852039166` and `0xa9.254.43518` are 169.254.169.254. */
function isDnsName(text: string): boolean {
  const labels = text.split('.');
  return labels.every((label) => HOST_LABEL.test(label)) && !/^(\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '');
}

export const REGISTER_PROXY_EXAMPLES: ExamplesObject = {
  minimal: {
    summary: 'A proxy of the pool "standard"',
    value: { id: 'standard-1', pool: 'standard', host: '10.0.0.7', port: 8080 },
  },
  weighted: {
    summary: 'With half of the usual weight',
    value: { id: 'standard-2', pool: 'standard', host: 'proxy-2.example.com', port: 8080, weight: 50 },
  },
};

export const ADJUST_PROXY_EXAMPLES: ExamplesObject = {
  drain: { summary: 'Before maintenance', value: { draining: true } },
  weight: { summary: 'A smaller share', value: { weight: 10 } },
};
