import { FRAMEWORKS, type Demand, type Framework } from './frameworks.js';

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
