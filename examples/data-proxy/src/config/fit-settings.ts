/** The keys of `connection_pools.<backend>` that count what all namespaces have together. */
const CAPS = ['max_connections', 'max_total_connections'] as const;

/** Those that may not exceed a cap. */
const SHARES = ['connections_per_namespace', 'per_session_limit'] as const;

export const BACKENDS = ['postgres', 'redis', 'nats', 'kafka'] as const;
export type Backend = (typeof BACKENDS)[number];

/**
 * Settings for the backends that are on, with the part of their caps that one of so many replicas may take. What is not as
 * the isolation library wants it stays as it is, so that it says so.
 */
export function fitSettings(settings: unknown, isOn: ReadonlySet<Backend>, replicas: number): unknown {
  if (!isRecord(settings) || !isRecord(settings['connection_pools'])) {
    return settings;
  }
  const pools = Object.entries(settings['connection_pools'])
    .filter(([name]) => !isBackend(name) || isOn.has(name))
    .map(([name, pool]) => [name, isBackend(name) && isRecord(pool) ? divide(pool, replicas) : pool]);
  return { ...settings, connection_pools: Object.fromEntries(pools) };
}

function divide(pool: Readonly<Record<string, unknown>>, replicas: number): Record<string, unknown> {
  const divided: Record<string, unknown> = { ...pool };
  for (const key of CAPS) {
    const cap = divided[key];
    if (!isCount(cap)) {
      continue;
    }
    const own = Math.max(1, Math.floor(cap / replicas));
    divided[key] = own;
    for (const share of SHARES) {
      const max = divided[share];
      divided[share] = isCount(max) && max <= cap ? Math.min(max, own) : max;
    }
  }
  return Object.fromEntries(Object.entries(divided).filter(([, value]) => value !== undefined));
}

function isBackend(name: string): name is Backend {
  return BACKENDS.some((backend) => backend === name);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
