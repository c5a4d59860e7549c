/** How strictly a framework demands something. */
export type Demand = 'error' | 'warning';

/**
 * What a framework demands of an installation, as far as its configuration shows. Each framework demands that tenants on
 * shared proxies do not share connections, and that proxies verify the TLS of backends. docs/control-plane/compliance.md
 * has the sources.
 */
export interface Framework {
  readonly name: string;
  readonly retention?: { readonly minDays: number; readonly demand: Demand };
  /** Action records are exported (`audit_backend`). */
  readonly auditExport?: Demand;
  readonly piiEncryption: Demand;
}

const YEAR_EXPECTED = {
  retention: { minDays: 365, demand: 'warning' },
  auditExport: 'warning',
  piiEncryption: 'warning',
} as const;

export const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'HIPAA',
    retention: { minDays: 2190, demand: 'error' },
    auditExport: 'warning',
    piiEncryption: 'error',
  },
  {
    name: 'PCI-DSS',
    retention: { minDays: 365, demand: 'error' },
    auditExport: 'error',
    piiEncryption: 'error',
  },
  { name: 'SOC2', ...YEAR_EXPECTED },
  { name: 'ISO27001', ...YEAR_EXPECTED },
  { name: 'GDPR', piiEncryption: 'warning' },
];

/** However it is written: `PCI DSS`, `pci_dss`, `ISO/IEC 27001:2022`, `SOC 2 Type II`. */
export function findFramework(text: string): Framework | undefined {
  const key = simplify(text)
    .replace(/^isoiec/, 'iso')
    .replace(/(?:(?<=^iso27001)\d{4}|(?<=^soc2)type(?:i|ii|1|2))$/, '')
    .replace(/(?<=^pcidss)v?\d+$/, '');
  return FRAMEWORKS.find(({ name }) => simplify(name) === key);
}

/** The names of those that are known, each once, separated by commas. */
export function nameFrameworks(frameworks: readonly (Framework | undefined)[]): string {
  return [...new Set(frameworks.flatMap((framework) => framework?.name ?? []))].join(', ');
}

function simplify(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** What each framework demands, as a markdown table. */
export function renderFrameworks(): string {
  const rows = FRAMEWORKS.map(({ name, retention, auditExport = '', piiEncryption }) => {
    const days = retention === undefined ? '' : `at least ${retention.minDays} (${retention.demand})`;
    return `| ${[name, 'error', 'error', days, auditExport, piiEncryption].join(' | ')} |`;
  });
  return [
    '| framework | no `isolation_level: none` where tenants share | verified TLS to backends | `audit_retention_days` | `audit_backend` | `pii_encryption` |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
