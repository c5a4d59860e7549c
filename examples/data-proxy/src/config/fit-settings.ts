export const BACKENDS = ['postgres', 'redis', 'nats', 'kafka'] as const;
export type Backend = (typeof BACKENDS)[number];

/**
 * Settings for the backends that are on. What is not as the isolation library wants it stays as it is, so that it says so.
 */
export function fitSettings(settings: unknown, isOn: ReadonlySet<Backend>): unknown {
  if (!isRecord(settings) || !isRecord(settings['connection_pools'])) {
    return settings;
  }
  const pools = Object.entries(settings['connection_pools']).filter(([name]) => !isBackend(name) || isOn.has(name));
  return { ...settings, connection_pools: Object.fromEntries(pools) };
}

function isBackend(name: string): name is Backend {
  return BACKENDS.some((backend) => backend === name);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
