const GIB = 2 ** 30;

/** More than any installation has; beyond, numbers would mean nothing. */
export const MAX_SIZED_TENANTS = 10_000_000;

interface Row {
  readonly tenants: number;
  readonly replicas: number;
  readonly connections: number;
  readonly memoryGib: number;
  readonly cpuCores: number;
}

/** What is known from experience. */
const ROWS: readonly Row[] = [
  { tenants: 10, replicas: 2, connections: 200, memoryGib: 4, cpuCores: 2 },
  { tenants: 50, replicas: 5, connections: 500, memoryGib: 4, cpuCores: 2 },
  { tenants: 100, replicas: 10, connections: 1000, memoryGib: 4, cpuCores: 2 },
  { tenants: 500, replicas: 20, connections: 2000, memoryGib: 8, cpuCores: 4 },
  { tenants: 1000, replicas: 40, connections: 4000, memoryGib: 8, cpuCores: 4 },
];

export interface Size {
  readonly tenants: number;
  /** Proxies. */
  readonly replicas: number;
  /** To backends, of all proxies together. */
  readonly connections: number;
  /** For each proxy. */
  readonly memoryBytes: number;
  /** For each proxy. */
  readonly cpuCores: number;
  /** Whether this is extrapolated beyond what was measured. */
  readonly isExtrapolated: boolean;
}

/**
 * What so many tenants need. Replicas and connections grow in a straight line between the rows of the table, rounded up;
 * memory and CPU of a proxy are those of the next row. Fewer tenants than the first row has get that row; beyond the
 * last one its ratios go on.
 *
 * @param tenants a whole number, at least 1
 */
export function sizeFor(tenants: number): Size {
  const next = ROWS.findIndex((row) => tenants <= row.tenants);
  const upper = ROWS.at(next);
  const lower = next === -1 ? undefined : ROWS[next - 1];
  if (upper === undefined) {
    throw new TypeError('the table of sizes is empty');
  }
  if (next === 0) {
    return toSize(tenants, upper, upper.replicas, upper.connections);
  }
  const from = lower ?? { tenants: 0, replicas: 0, connections: 0 };
  const share = (tenants - from.tenants) / (upper.tenants - from.tenants);
  const between = (low: number, high: number): number => Math.ceil(roundOff(low + (high - low) * share));
  const replicas = between(from.replicas, upper.replicas);
  return toSize(tenants, upper, replicas, between(from.connections, upper.connections));
}

/** Without the last digits, in which binary fractions go wrong: 7.000000000000001 is not a reason for an eighth proxy. */
function roundOff(value: number): number {
  return Number(value.toPrecision(12));
}

/** What proxies report of all tenants together. */
export interface Measured {
  /** Of which something is reported; at least 1. */
  readonly tenants: number;
  /** In use, and requests that wait for one. */
  readonly connections: number;
}

/** As in every row of the table. */
const CONNECTIONS_PER_PROXY = 100;

/** At which share of its connections in use a tenant gives a warning: there should be more than are needed. */
const USED = 0.9;

/**
 * What so many tenants need that use as much as those do that were measured: connections in proportion, and so many more
 * that nine in ten are used. Proxies have as many connections each as in the table; their memory and CPU are the table's.
 */
export function sizeFromMeasured(tenants: number, measured: Measured): Size {
  const table = sizeFor(tenants);
  const connections = Math.max(1, Math.ceil(roundOff(((measured.connections / measured.tenants) * tenants) / USED)));
  const replicas = Math.max(2, Math.ceil(roundOff(connections / CONNECTIONS_PER_PROXY)));
  return { ...table, connections, replicas, isExtrapolated: tenants > measured.tenants };
}

function toSize(tenants: number, row: Row, replicas: number, connections: number): Size {
  const isExtrapolated = tenants > row.tenants;
  const { memoryGib, cpuCores } = row;
  return { tenants, replicas, connections, memoryBytes: memoryGib * GIB, cpuCores, isExtrapolated };
}
