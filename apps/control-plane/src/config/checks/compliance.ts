import { BACKEND_KINDS } from '@palisade/domain';
import { showText, showValue, type Path } from '@palisade/isolation/settings';
import type { Findings } from '../findings.js';
import { findFramework, FRAMEWORKS, type Demand, type Framework } from '../frameworks.js';
import { resolvePools } from '../resolve-pools.js';
import type { ControlPlaneFile } from '../schema/control-plane-file.js';

/** The installation has what its frameworks demand. */
export function checkCompliance(file: ControlPlaneFile, findings: Findings): void {
  const frameworks: Framework[] = [];
  for (const [index, written] of file.compliance.frameworks.entries()) {
    const framework = findFramework(written);
    if (framework === undefined) {
      const known = FRAMEWORKS.map(({ name }) => name).join(', ');
      findings.warning(
        ['compliance', 'frameworks', index],
        `nothing is known of ${showText(written)}, so nothing is checked; known are ${known}`,
      );
    } else {
      frameworks.push(framework);
    }
  }
  checkIsolationLevels(file, frameworks, findings);
  checkTls(file, frameworks, findings);
  checkRetention(file, frameworks, findings);
  demand(
    findings,
    ['audit_backend'],
    strictest(frameworks, 'auditExport'),
    file.auditBackend === undefined,
    (names) => `expected a location that action records are exported to, as ${names} asks for it, found nothing`,
  );
  demand(
    findings,
    ['compliance', 'pii_encryption'],
    strictest(frameworks, 'piiEncryption'),
    !file.compliance.piiEncryption,
    (names) => `expected true, as ${names} asks for it, found false`,
  );
}

type Aspect = 'isolation' | 'verifiedTls' | 'auditExport' | 'piiEncryption';

interface Demanded {
  readonly demand: Demand;
  readonly names: string;
}

/** The strictest demand of all frameworks, and whose it is. */
function strictest(frameworks: readonly Framework[], aspect: Aspect): Demanded | undefined {
  for (const demand of ['error', 'warning'] as const) {
    const names = frameworks.filter((each) => each[aspect] === demand).map(({ name }) => name);
    if (names.length > 0) {
      return { demand, names: [...new Set(names)].join(', ') };
    }
  }
  return undefined;
}

function demand(
  findings: Findings,
  path: Path,
  demanded: Demanded | undefined,
  isMissing: boolean,
  describe: (names: string) => string,
): void {
  if (demanded === undefined || !isMissing || !findings.isSound(...path)) {
    return;
  }
  const text = describe(demanded.names);
  if (demanded.demand === 'error') {
    findings.problem(path, text);
  } else {
    findings.warning(path, text);
  }
}

/** A single tenant shares with nobody, whatever the level. */
function checkIsolationLevels(file: ControlPlaneFile, frameworks: readonly Framework[], findings: Findings): void {
  const demanded = strictest(frameworks, 'isolation');
  if (file.deployment.model === 'single_tenant' || !findings.isSound('deployment', 'model')) {
    return;
  }
  const ofPools = [...resolvePools(file).values()].map(({ isolationLevel, levelPath }) => ({
    level: isolationLevel,
    path: levelPath,
  }));
  const rules = file.tenantRouting?.rules ?? [];
  const ofRules = rules.map((rule, index) => {
    const path = ['tenant_routing', 'rules', index];
    const level = findings.isSound(...path) ? rule.action.isolationLevel : undefined;
    return { level, path: [...path, 'action', 'isolation_level'] };
  });
  for (const { level, path } of [...ofPools, ...ofRules]) {
    demand(
      findings,
      path,
      demanded,
      level === 'none',
      (names) => `expected namespace or session, as ${names} does not let tenants share connections, found "none"`,
    );
  }
}

/** The database always has to; of the others, those that say how they are reached. */
function checkTls(file: ControlPlaneFile, frameworks: readonly Framework[], findings: Findings): void {
  const demanded = strictest(frameworks, 'verifiedTls');
  for (const kind of BACKEND_KINDS) {
    const backend = file.backends[kind];
    if (backend === undefined) {
      continue;
    }
    const { sslMode: mode } = backend;
    const isError = kind === 'postgres' || mode !== undefined;
    const softened: Demanded | undefined = demanded && { ...demanded, demand: isError ? demanded.demand : 'warning' };
    const isMissing = mode !== 'verify-ca' && mode !== 'verify-full';
    demand(
      findings,
      ['backends', kind, 'ssl_mode'],
      softened,
      isMissing,
      (names) => `expected verify-ca or verify-full, as ${names} demands verified TLS, found ${showValue(mode)}`,
    );
  }
}

function checkRetention({ compliance }: ControlPlaneFile, frameworks: readonly Framework[], findings: Findings): void {
  const { auditRetentionDays: days } = compliance;
  for (const level of ['error', 'warning'] as const) {
    const unmet = frameworks.filter(({ retention }) => retention?.demand === level && days < retention.minDays);
    const minDays = Math.max(...unmet.map(({ retention }) => retention?.minDays ?? 0));
    const names = [...new Set(unmet.map(({ name }) => name))].join(', ');
    demand(
      findings,
      ['compliance', 'audit_retention_days'],
      { demand: level, names },
      unmet.length > 0,
      () => `expected at least ${minDays} days for ${names}, found ${days}`,
    );
  }
}
