import { SYSTEM_CLOCK, type Clock } from '@palisade/async';
import {
  MAX_REPORTED_NAMESPACES,
  type NamespaceId,
  type NamespaceUsageReport,
  type ProxyUsage,
} from '@palisade/domain';
import type { NamespaceUsage } from './namespace-usage.js';

/** What a report is made of. */
export interface ReportedUsage {
  namespaces(): Iterable<NamespaceUsage>;
  /** Open sessions; none by default. */
  sessions?(): Iterable<{ readonly namespace: NamespaceId }>;
}

type Amounts = Omit<NamespaceUsageReport, 'namespace'>;

const INTERVAL_MS = 5000;

/** What namespaces use, as heartbeats tell it: not in each, and no more namespaces by name than a control plane takes. */
export class UsageReporter {
  readonly #clock: Clock;
  #nextAtMs = -Infinity;

  constructor(
    private readonly usage: ReportedUsage,
    clock: Clock = SYSTEM_CLOCK,
  ) {
    this.#clock = clock;
  }

  /** The report to be sent now; undefined when the last one is younger than five seconds. */
  next(): ProxyUsage | undefined {
    const nowMs = this.#clock.now();
    if (nowMs < this.#nextAtMs) {
      return undefined;
    }
    this.#nextAtMs = nowMs + INTERVAL_MS;
    return this.report();
  }

  /** The busiest namespaces first: by connections in use and requests that wait, then by requests per second. */
  report(maxNamespaces = MAX_REPORTED_NAMESPACES): ProxyUsage {
    const usages = [...this.usage.namespaces()].toSorted(
      (a, b) => loadOf(b) - loadOf(a) || b.requestsPerSecond - a.requestsPerSecond || b.requests - a.requests,
    );
    const named = usages.slice(0, maxNamespaces);
    const sessions = Map.groupBy(this.usage.sessions?.() ?? [], ({ namespace }) => namespace);
    const describe = (usage: NamespaceUsage) => amountsOf(usage, sessions.get(usage.namespace)?.length ?? 0);
    const others = usages.slice(maxNamespaces).map(describe);
    return {
      namespaces: named.map((usage) => ({ namespace: usage.namespace, ...describe(usage) })),
      ...(others.length > 0 && { rest: { namespaces: others.length, ...others.reduce(plus) } }),
    };
  }
}

function loadOf({ connections }: NamespaceUsage): number {
  return connections.reduce((sum, { active, queued }) => sum + active + queued, 0);
}

function amountsOf(usage: NamespaceUsage, sessions: number): Amounts {
  const { connections, requests, requestsPerSecond, errors, rejections, p50Ms, p99Ms, cpuSeconds, bytesHeld } = usage;
  return {
    sessions,
    connections: Object.fromEntries(
      connections.map(({ backend, active, idle, queued }) => [backend, { in_use: active, idle, waiting: queued }]),
    ),
    requests,
    requests_per_second: requestsPerSecond,
    errors,
    rejected: rejections,
    ...(p50Ms !== undefined && { p50_ms: p50Ms }),
    ...(p99Ms !== undefined && { p99_ms: p99Ms }),
    ...(cpuSeconds > 0 && { cpu_seconds: cpuSeconds }),
    memory_bytes: Math.round(bytesHeld),
  };
}

/** Times cannot be added: the sum has none. */
function plus(a: Amounts, b: Amounts): Amounts {
  return {
    sessions: a.sessions + b.sessions,
    connections: merge(a.connections, b.connections, (x, y) => ({
      in_use: x.in_use + y.in_use,
      idle: x.idle + y.idle,
      waiting: x.waiting + y.waiting,
    })),
    requests: a.requests + b.requests,
    requests_per_second: (a.requests_per_second ?? 0) + (b.requests_per_second ?? 0),
    errors: a.errors + b.errors,
    rejected: merge(a.rejected, b.rejected, (x, y) => x + y),
    ...((a.cpu_seconds ?? b.cpu_seconds) !== undefined && {
      cpu_seconds: (a.cpu_seconds ?? 0) + (b.cpu_seconds ?? 0),
    }),
    memory_bytes: (a.memory_bytes ?? 0) + (b.memory_bytes ?? 0),
  };
}

function merge<T>(a: Readonly<Record<string, T>>, b: Readonly<Record<string, T>>, add: (a: T, b: T) => T) {
  const merged = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const known = merged[name];
    merged[name] = known === undefined ? value : add(known, value);
  }
  return merged;
}
