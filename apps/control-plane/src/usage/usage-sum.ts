import type { NamespaceUsageReport } from '@palisade/domain';

type Amounts = Omit<NamespaceUsageReport, 'namespace'>;
type Connections = NamespaceUsageReport['connections'][string];

/** Adds up what proxies report. Times cannot be added: the longest that any proxy reports stand for all. */
export class UsageSum {
  sessions = 0;
  requests = 0;
  errors = 0;
  readonly connections = new Map<string, Connections>();
  readonly rejected = new Map<string, number>();
  requestsPerSecond: number | undefined;
  p50Ms: number | undefined;
  p99Ms: number | undefined;
  cpuSeconds: number | undefined;
  memoryBytes: number | undefined;
  /** Proxies that reported it, of the pool with most of them. */
  proxies = 0;

  add({ connections, rejected, ...amounts }: Amounts): void {
    this.proxies++;
    this.sessions += amounts.sessions;
    this.requests += amounts.requests;
    this.errors += amounts.errors;
    this.addByName(Object.entries(connections), Object.entries(rejected));
    this.requestsPerSecond = plus(this.requestsPerSecond, amounts.requests_per_second);
    this.addOptional(amounts.p50_ms, amounts.p99_ms, amounts.cpu_seconds, amounts.memory_bytes);
  }

  addSum(other: UsageSum): void {
    this.proxies = Math.max(this.proxies, other.proxies);
    this.sessions += other.sessions;
    this.requests += other.requests;
    this.errors += other.errors;
    this.addByName(other.connections, other.rejected);
    this.requestsPerSecond = plus(this.requestsPerSecond, other.requestsPerSecond);
    this.addOptional(other.p50Ms, other.p99Ms, other.cpuSeconds, other.memoryBytes);
  }

  /** Connections in use and requests that wait for one. */
  get load(): number {
    return this.connections.values().reduce((sum, { in_use, waiting }) => sum + in_use + waiting, 0);
  }

  private addByName(connections: Iterable<[string, Connections]>, rejected: Iterable<[string, number]>): void {
    for (const [backend, { in_use, idle, waiting }] of connections) {
      const sum = this.connections.get(backend) ?? { in_use: 0, idle: 0, waiting: 0 };
      this.connections.set(backend, {
        in_use: sum.in_use + in_use,
        idle: sum.idle + idle,
        waiting: sum.waiting + waiting,
      });
    }
    for (const [code, count] of rejected) {
      this.rejected.set(code, (this.rejected.get(code) ?? 0) + count);
    }
  }

  private addOptional(p50Ms?: number, p99Ms?: number, cpuSeconds?: number, memoryBytes?: number): void {
    this.p50Ms = highest(this.p50Ms, p50Ms);
    this.p99Ms = highest(this.p99Ms, p99Ms);
    this.cpuSeconds = plus(this.cpuSeconds, cpuSeconds);
    this.memoryBytes = plus(this.memoryBytes, memoryBytes);
  }
}

function highest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a + b;
}
