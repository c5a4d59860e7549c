import { MAX_REPORTED_NAMESPACES, type PolicyReport, type ProxyHeartbeat } from '@palisade/domain';
import type { ExamplesObject } from '@nestjs/swagger';
import { Choice, Decimal, Integer, LABEL, Nested, Shape, Text } from '@palisade/platform';
import { z } from 'zod';

/** Backends of one proxy. */
const MAX_BACKENDS = 16;
/** Codes of reasons, as they stand in the library's documentation. */
const MAX_REASONS = 32;
/** Each bound is far beyond what a proxy has: the credential of one that lies must not make the numbers of others useless. */
const MOST = { count: Number.MAX_SAFE_INTEGER, connections: 1_000_000, amount: 1e9 } as const;
const COUNT = { minimum: 0, maximum: MOST.count, example: 4711 } as const;
const SOURCES = ['stream', 'disk', 'none'] as const satisfies readonly PolicyReport['source'][];

const count = z.int().min(0).max(MOST.count);
const connections = z.int().min(0).max(MOST.connections);
const amount = z.number().min(0).max(MOST.amount);
const name = z.string().regex(/^[A-Za-z0-9][\w.-]{0,62}$/);

function byName<T extends z.ZodType>(values: T, maxEntries: number) {
  return z.record(name, values).refine((given) => Object.keys(given).length <= maxEntries, {
    message: `expected at most ${maxEntries} names`,
  });
}

const CAP_DEMANDS = byName(
  z.strictObject({
    sequence: count.describe('Number of the part that the proxy goes by; absent before the first one.').optional(),
    limit: connections.describe(
      'The proxy has no more connections, and opens none above it before it gets another part.',
    ),
    in_use: connections.describe('Connections in use, also those that are opening or closing.'),
    waiting: connections.describe('Requests that wait for a connection.'),
    least: connections.min(1).describe('Connections that it must be able to have.'),
    hold_seconds: amount.describe('How long the backend may keep a connection of a proxy that has been stopped.'),
  }),
  MAX_BACKENDS,
);

const USAGE = {
  sessions: connections.describe('Open sessions.'),
  connections: byName(z.strictObject({ in_use: connections, idle: connections, waiting: connections }), MAX_BACKENDS),
  requests: count.describe('Requests since the start of the process.'),
  requests_per_second: amount.describe('Requests per second, lately; absent when it is not measured.').optional(),
  errors: count.describe('Requests that failed.'),
  rejected: byName(count, MAX_REASONS).describe('Requests that were not begun, by code of the reason.'),
  p50_ms: amount.describe('Median time of a request.').optional(),
  p99_ms: amount.describe('Time that 99 % of requests take at most.').optional(),
  cpu_seconds: amount.describe('CPU time; absent when it is not measured.').optional(),
  memory_bytes: count.describe('Memory.').optional(),
};

const USAGE_REPORT = z.strictObject({
  namespaces: z
    .array(z.strictObject({ namespace: z.string().regex(new RegExp(LABEL.pattern)), ...USAGE }))
    .max(MAX_REPORTED_NAMESPACES)
    .describe('The busiest namespaces.'),
  rest: z
    .strictObject({ namespaces: count, ...USAGE })
    .describe('The sum of all others.')
    .optional(),
});

export class RejectedPolicyBody {
  @Integer('The revision.', COUNT)
  readonly revision!: number;

  @Text('Why, for people.', { maxLength: 1000, example: 'connection_pools.kafka: expected a driver for it' })
  readonly reason!: string;
}

export class PolicyReportBody {
  @Integer('The revision in force; absent while there is none.', { ...COUNT, optional: true })
  readonly revision?: number;

  @Choice('Where the policy in force came from.', SOURCES, { example: 'stream' })
  readonly source!: PolicyReport['source'];

  @Decimal('How long ago the proxy heard of the control plane, in seconds.', {
    minimum: 0,
    maximum: MOST.amount,
    example: 0.4,
  })
  readonly age_seconds!: number;

  @Nested('The revision that could not be applied.', RejectedPolicyBody, { optional: true })
  readonly rejected?: RejectedPolicyBody;
}

/** What a proxy says of itself; every part is optional. */
export class HeartbeatBody {
  @Text('Differs for each process of the proxy.', { maxLength: 64, example: '8f0e2a71', optional: true })
  readonly instance?: string;

  @Text('Version of the isolation library.', { maxLength: 64, example: '1.0.0', optional: true })
  readonly version?: string;

  @Nested('The policy that the proxy enforces.', PolicyReportBody, { optional: true })
  readonly policy?: PolicyReportBody;

  @Shape('What the proxy has and needs of each backend, by its name.', CAP_DEMANDS, { optional: true })
  readonly caps?: ProxyHeartbeat['caps'];

  @Shape('What namespaces use. Counters count from the start of the process.', USAGE_REPORT, { optional: true })
  readonly usage?: ProxyHeartbeat['usage'];
}

export const HEARTBEAT_EXAMPLES: ExamplesObject = {
  alive: { summary: 'A proxy that enforces no policy', value: {} },
  governed: {
    summary: 'A proxy that enforces the policy of its pool',
    value: {
      instance: '8f0e2a71',
      version: '1.0.0',
      policy: { revision: 4711, source: 'stream', age_seconds: 0.4 },
      caps: { postgres: { sequence: 311, limit: 25, in_use: 12, waiting: 0, least: 4, hold_seconds: 10 } },
      usage: {
        namespaces: [
          {
            namespace: 'acme-orders',
            sessions: 2,
            connections: { postgres: { in_use: 12, idle: 3, waiting: 0 } },
            requests: 120_000,
            requests_per_second: 42.5,
            errors: 3,
            rejected: { POOL_TIMEOUT: 1 },
            p50_ms: 1.2,
            p99_ms: 9.5,
          },
        ],
      },
    },
  },
};
