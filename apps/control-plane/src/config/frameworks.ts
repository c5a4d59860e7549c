/** How strictly a framework demands something. */
export type Demand = 'error' | 'warning';

/** What a framework demands of an installation, as far as its configuration tells. Sources: docs/control-plane/compliance.md. */
export interface Framework {
  readonly name: string;
  /** Tenants do not share connections: no pool of a shared deployment has the isolation level `none`. */
  readonly isolation?: Demand;
  /** Proxies verify the TLS of backends (`ssl_mode: verify-ca` or `verify-full`). */
  readonly verifiedTls?: Demand;
  readonly retention?: { readonly minDays: number; readonly demand: Demand };
  /** Action records are exported (`audit_backend`). */
  readonly auditExport?: Demand;
  readonly piiEncryption?: Demand;
}

export const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'HIPAA',
    isolation: 'error',
    verifiedTls: 'error',
    retention: { minDays: 2190, demand: 'error' },
    auditExport: 'warning',
    piiEncryption: 'error',
  },
  {
    name: 'PCI-DSS',
    isolation: 'error',
    verifiedTls: 'error',
    retention: { minDays: 365, demand: 'error' },
    auditExport: 'error',
    piiEncryption: 'error',
  },
  {
    name: 'SOC2',
    isolation: 'error',
    verifiedTls: 'error',
    retention: { minDays: 365, demand: 'warning' },
    auditExport: 'warning',
    piiEncryption: 'warning',
  },
  {
    name: 'ISO27001',
    isolation: 'error',
    verifiedTls: 'error',
    retention: { minDays: 365, demand: 'warning' },
    auditExport: 'warning',
    piiEncryption: 'warning',
  },
  { name: 'GDPR', isolation: 'error', verifiedTls: 'error', piiEncryption: 'warning' },
];

/** However it is written: `PCI DSS`, `pci_dss`, `ISO/IEC 27001:2022`, `SOC 2 Type II`. */
export function findFramework(text: string): Framework | undefined {
  const key = simplify(text)
    .replace(/^isoiec/, 'iso')
    .replace(/(?:(?<=^iso27001)\d{4}|(?<=^soc2)type(?:i|ii|1|2))$/, '')
    .replace(/(?<=^pcidss)v?\d+$/, '');
  return FRAMEWORKS.find(({ name }) => simplify(name) === key);
}

function simplify(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** What each framework demands, as a markdown table. */
export function renderFrameworks(): string {
  const rows = FRAMEWORKS.map((framework) => `| ${renderCells(framework).join(' | ')} |`);
  return [
    '| framework | no `isolation_level: none` where tenants share | verified TLS to backends | `audit_retention_days` | `audit_backend` | `pii_encryption` |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function renderCells({
  name,
  isolation,
  verifiedTls,
  retention,
  auditExport,
  piiEncryption,
}: Framework): readonly string[] {
  const days = retention === undefined ? '' : `at least ${retention.minDays} (${retention.demand})`;
  return [
    name,
    renderDemand(isolation),
    renderDemand(verifiedTls),
    days,
    renderDemand(auditExport),
    renderDemand(piiEncryption),
  ];
}

function renderDemand(demand: Demand | undefined): string {
  return demand ?? '';
}
