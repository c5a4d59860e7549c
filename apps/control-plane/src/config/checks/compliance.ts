import { BACKEND_KINDS } from '@palisade/domain';
import { showText, showValue, type Path } from '@palisade/isolation/settings';
import type { FileReport } from '../file-report.js';
import { findFramework, FRAMEWORKS, nameFrameworks, type Demand, type Framework } from '../frameworks.js';
import { resolvePools } from '../resolve-pools.js';
import type { ControlPlaneFile } from '../schema/control-plane-file.js';

/** The installation has what its frameworks demand. */
export function checkCompliance(file: ControlPlaneFile, report: FileReport): void {
  const frameworks = file.compliance.frameworks.map(findFramework);
  for (const [index, written] of file.compliance.frameworks.entries()) {
    if (frameworks[index] === undefined) {
      report.warning(
        ['compliance', 'frameworks', index],
        `unknown framework ${showText(written)}, for which nothing is checked; known are ${nameFrameworks(FRAMEWORKS)}`,
      );
    }
  }
  const known = frameworks.filter((framework) => framework !== undefined);
  if (known.length === 0) {
    return;
  }
  checkIsolationLevels(file, nameFrameworks(known), report);
  checkTls(file, nameFrameworks(known), report);
  checkRetention(file, known, report);
  if (file.auditBackend === undefined) {
    reportStrictest(known, 'auditExport', report, ['audit_backend'], (names) => {
      return `expected a location that the log is exported to, as ${names} asks for it, found nothing`;
    });
  }
  if (!file.compliance.piiEncryption) {
    reportStrictest(known, 'piiEncryption', report, ['compliance', 'pii_encryption'], (names) => {
      return `expected true, as ${names} asks for it, found false`;
    });
  }
}

/** Reports what is missing to the strictest demand of all frameworks. */
function reportStrictest(
  frameworks: readonly Framework[],
  aspect: 'auditExport' | 'piiEncryption',
  report: FileReport,
  path: Path,
  describe: (names: string) => string,
): void {
  for (const demand of ['error', 'warning'] as const) {
    const demanding = frameworks.filter((framework) => framework[aspect] === demand);
    if (demanding.length > 0) {
      add(demand, report, path, describe(nameFrameworks(demanding)));
      return;
    }
  }
}

function add(demand: Demand, report: FileReport, path: Path, text: string): void {
  if (report.isSound(...path)) {
    report[demand === 'error' ? 'problem' : 'warning'](path, text);
  }
}

/** A single tenant shares with nobody, whatever the level. */
function checkIsolationLevels(file: ControlPlaneFile, names: string, report: FileReport): void {
  if (file.deployment.model === 'single_tenant' || !report.isSound('deployment', 'model')) {
    return;
  }
  const places: Path[] = [...resolvePools(file).values()]
    .filter(({ isolationLevel }) => isolationLevel === 'none')
    .map(({ levelPath }) => levelPath);
  for (const [index, rule] of (file.tenantRouting?.rules ?? []).entries()) {
    const path = ['tenant_routing', 'rules', index];
    if (report.isSound(...path) && rule.action.isolationLevel === 'none') {
      places.push([...path, 'action', 'isolation_level']);
    }
  }
  const text = `expected namespace or session, as ${names} does not let tenants share connections, found "none"`;
  for (const path of places) {
    add('error', report, path, text);
  }
}

/** The database always has to; other backends only when they say how they are reached. */
function checkTls(file: ControlPlaneFile, names: string, report: FileReport): void {
  for (const kind of BACKEND_KINDS) {
    const { [kind]: backend } = file.backends;
    const mode = backend?.sslMode;
    if (backend !== undefined && mode !== 'verify-ca' && mode !== 'verify-full') {
      const demand = kind === 'postgres' || mode !== undefined ? 'error' : 'warning';
      const text = `expected verify-ca or verify-full, as ${names} demands verified TLS, found ${showValue(mode)}`;
      add(demand, report, ['backends', kind, 'ssl_mode'], text);
    }
  }
}

function checkRetention({ compliance }: ControlPlaneFile, frameworks: readonly Framework[], report: FileReport): void {
  const { auditRetentionDays: days } = compliance;
  for (const demand of ['error', 'warning'] as const) {
    const unmet = frameworks.filter(({ retention }) => retention?.demand === demand && days < retention.minDays);
    if (unmet.length > 0) {
      const minDays = Math.max(...unmet.map(({ retention }) => retention?.minDays ?? 0));
      const text = `expected at least ${minDays} days for ${nameFrameworks(unmet)}, found ${days}`;
      add(demand, report, ['compliance', 'audit_retention_days'], text);
    }
  }
}
