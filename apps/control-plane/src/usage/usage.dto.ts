import { Decimal, Integer, List, Name, PageLimit, Shape, Text } from '@palisade/platform';
import { z } from 'zod';

const count = z.int().min(0);

const CONNECTIONS = z.record(
  z.string(),
  z.strictObject({
    in_use: count.describe('Connections with requests.'),
    idle: count.describe('Connections that nobody uses.'),
    waiting: count.describe('Requests that wait for one.'),
    limit: count
      .describe('Connections that the namespace may have at each proxy; that a tenant may have at all.')
      .optional(),
  }),
);

export const CAP_PARTS = z.record(
  z.string(),
  z.strictObject({
    sequence: count.describe('Number of the part, to be named in the next heartbeat.'),
    limit: count.describe('Connections that the proxy may have.'),
    valid_seconds: z.number().describe('How long the limit is valid, from when the heartbeat was sent.'),
    base: count.describe('What remains of it afterwards.'),
    base_valid_seconds: z.number().describe('How long the base is valid.'),
    reason: z.string().describe('Why the limit is 0.').optional(),
  }),
);

export class UsageParameters extends PageLimit {
  @Name('Only namespaces of this tenant.', { example: 'acme', optional: true })
  readonly tenant?: string;

  @Name('Only this namespace.', { example: 'acme-orders', optional: true })
  readonly namespace?: string;

  @Name('Only what proxies of this pool report.', { example: 'standard', optional: true })
  readonly pool?: string;
}

export class UsageAmounts {
  @Integer('Proxies that report it.', { example: 2 })
  readonly proxies!: number;

  @Integer('Open sessions.', { example: 3 })
  readonly sessions!: number;

  @Shape('Connections, by backend.', CONNECTIONS, { example: { postgres: { in_use: 12, idle: 3, waiting: 0 } } })
  readonly connections!: z.infer<typeof CONNECTIONS>;

  @Integer('Requests since the proxies started.', { example: 120_000 })
  readonly requests!: number;

  @Decimal('Requests per second, lately; absent when no proxy tells it.', { example: 42.5, optional: true })
  readonly requests_per_second?: number;

  @Integer('Requests that failed.', { example: 3 })
  readonly errors!: number;

  @Shape('Requests that were not begun, by code of the reason.', z.record(z.string(), count), {
    example: { POOL_TIMEOUT: 1 },
  })
  readonly rejected!: Readonly<Record<string, number>>;

  @Decimal('Median time of a request at the proxy where it is longest.', { example: 1.2, optional: true })
  readonly p50_ms?: number;

  @Decimal('Time that 99 % of requests take at most, at the proxy where it is longest.', {
    example: 9.5,
    optional: true,
  })
  readonly p99_ms?: number;

  @Decimal('CPU time; absent when it is not measured.', { example: 812.4, optional: true })
  readonly cpu_seconds?: number;

  @Integer('Memory.', { example: 1_048_576, optional: true })
  readonly memory_bytes?: number;
}

/** What the namespaces of a tenant use, against what they may together at the proxies that report them. */
export class TenantUsageResponse extends UsageAmounts {
  @Integer('Sessions that they may have; absent when the configuration does not say it.', {
    example: 20,
    optional: true,
  })
  readonly max_sessions?: number;

  @Integer('Requests per second that they may make; absent when some have no limit.', { example: 400, optional: true })
  readonly max_rps?: number;
}

export class NamespaceUsageResponse extends UsageAmounts {
  @Text('Name of the namespace.', { example: 'acme-orders' })
  readonly namespace!: string;

  @Text('The tenant that it belongs to.', { example: 'acme', optional: true })
  readonly tenant_id?: string;
}

export class OtherNamespacesUsage extends UsageAmounts {
  @Integer('How many these are, counted at each proxy.', { example: 4000 })
  readonly namespaces!: number;
}

export class CapUsageResponse {
  @Text('Name of the pool.', { example: 'standard' })
  readonly pool!: string;

  @Text('Name of the backend.', { example: 'postgres' })
  readonly backend!: string;

  @Integer('Connections that all proxies of the pool may have together.', { example: 100, optional: true })
  readonly cap?: number;

  @Integer('What processes may have by the parts that they were given.', { example: 80 })
  readonly granted!: number;

  @Integer('Of these, what is kept for processes that report no longer, until their leases end.', { example: 6 })
  readonly silent!: number;

  @Integer('Connections in use and requests that wait for one.', { example: 41 })
  readonly wanted!: number;

  @Integer('Proxies that report.', { example: 8 })
  readonly proxies!: number;

  @Integer('Proxies that may have no connection.', { example: 0 })
  readonly proxies_without_part!: number;
}

export class UsageResponse extends UsageAmounts {
  @List('The busiest namespaces, by connections in use and requests that wait.', NamespaceUsageResponse)
  readonly namespaces!: readonly NamespaceUsageResponse[];

  @Integer('Namespaces beyond these that proxies name, with what was asked for.', { example: 0 })
  readonly more_namespaces!: number;

  @List('What proxies report as one sum, beside the 1,000 busiest namespaces of each.', OtherNamespacesUsage)
  readonly unnamed!: readonly OtherNamespacesUsage[];

  @List('How caps are divided, in order of pool and backend. Only for admins of all namespaces.', CapUsageResponse)
  readonly caps!: readonly CapUsageResponse[];
}
