import { BACKEND_KINDS } from '@palisade/domain';
import { showText, showValue, type Path } from '@palisade/isolation/settings';
import type { Findings } from '../findings.js';
import { findFramework, FRAMEWORKS, nameFrameworks, type Demand, type Framework } from '../frameworks.js';
import { resolvePools } from '../resolve-pools.js';
import type { ControlPlaneFile } from '../schema/control-plane-file.js';

/** The installation has what its frameworks demand. */
export function checkCompliance(file: ControlPlaneFile, findings: Findings): void {
  const frameworks = file.compliance.frameworks.map(findFramework);
  for (const [index, written] of file.compliance.frameworks.entries()) {
    if (frameworks[index] === undefined) {
      findings.warning(
        ['compliance', 'frameworks', index],
        `unknown framework ${showText(written)}, for which nothing is checked; known are ${nameFrameworks(FRAMEWORKS)}`,
      );
    }
  }
  const known = frameworks.filter((framework) => framework !== undefined);
  if (known.length === 0) {
    return;
  }
  checkIsolationLevels(file, nameFrameworks(known), findings);
  checkTls(file, nameFrameworks(known), findings);
  checkRetention(file, known, findings);
  if (file.auditBackend === undefined) {
    reportStrictest(known, 'auditExport', findings, ['audit_backend'], (names) => {
      return `expected a location that action records are exported to, as ${names} asks for it, found nothing`;
    });
  }
  if (!file.compliance.piiEncryption) {
    reportStrictest(known, 'piiEncryption', findings, ['compliance', 'pii_encryption'], (names) => {
      return `expected true, as ${names} asks for it, found false`;
    });
  }
}

/** Reports what is missing to the strictest demand of all frameworks. */
function reportStrictest(
  frameworks: readonly Framework[],
  aspect: 'auditExport' | 'piiEncryption',
  findings: Findings,
  path: Path,
  describe: (names: string) => string,
): void {
  for (const demand of ['error', 'warning'] as const) {
    const demanding = frameworks.filter((framework) => framework[aspect] === demand);
    if (demanding.length > 0) {
      report(demand, findings, path, describe(nameFrameworks(demanding)));
      return;
    }
  }
}

function report(demand: Demand, findings: Findings, path: Path, text: string): void {
  if (findings.isSound(...path)) {
    findings[demand === 'error' ? 'problem' : 'warning'](path, text);
  }
}

/** A single tenant shares with nobody, whatever the level. */
function checkIsolationLevels(file: ControlPlaneFile, names: string, findings: Findings): void {
  if (file.deployment.model === 'single_tenant' || !findings.isSound('deployment', 'model')) {
    return;
  }
  const places: Path[] = [...resolvePools(file).values()]
    .filter(({ isolationLevel }) => isolationLevel === 'none')
    .map(({ levelPath }) => levelPath);
  for (const [index, rule] of (file.tenantRouting?.rules ?? []).entries()) {
    const path = ['tenant_routing', 'rules', index];
    if (findings.isSound(...path) && rule.action.isolationLevel === 'none') {
      places.push([...path, 'action', 'isolation_level']);
    }
  }
  const text = `expected namespace or session, as ${names} does not let tenants share connections, found "none"`;
  for (const path of places) {
    report('error', findings, path, text);
  }
}

/** The database always has to; other backends only when they say how they are reached. */
function checkTls(file: ControlPlaneFile, names: string, findings: Findings): void {
  for (const kind of BACKEND_KINDS) {
    const { [kind]: backend } = file.backends;
    const mode = backend?.sslMode;
    if (backend !== undefined && mode !== 'verify-ca' && mode !== 'verify-full') {
      const demand = kind === 'postgres' || mode !== undefined ? 'error' : 'warning';
      const text = `expected verify-ca or verify-full, as ${names} demands verified TLS, found ${showValue(mode)}`;
      report(demand, findings, ['backends', kind, 'ssl_mode'], text);
    }
  }
}

function checkRetention({ compliance }: ControlPlaneFile, frameworks: readonly Framework[], findings: Findings): void {
  const { auditRetentionDays: days } = compliance;
  for (const demand of ['error', 'warning'] as const) {
    const unmet = frameworks.filter(({ retention }) => retention?.demand === demand && days < retention.minDays);
    if (unmet.length > 0) {
      const minDays = Math.max(...unmet.map(({ retention }) => retention?.minDays ?? 0));
      const text = `expected at least ${minDays} days for ${nameFrameworks(unmet)}, found ${days}`;
      report(demand, findings, ['compliance', 'audit_retention_days'], text);
    }
  }
}
