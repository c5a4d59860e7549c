import { BACKEND_KINDS, type BackendKind, type IsolationLevel } from '@palisade/domain';
import type { ControlPlaneFile } from '../dto/control-plane-file.js';
import { RuleBackendSection, type RuleActionSection } from '../dto/routing.dto.js';
import type { Findings } from '../findings/findings.js';
import type { Path } from '../findings/path.js';
import { keysOf } from '../sections/key-registry.js';

/** The limits of a rule are of use at the isolation level of its tenants, and fit below the hard limits. */
export function checkRuleLimits(
  file: ControlPlaneFile,
  { connection_pools: limits }: RuleActionSection,
  level: IsolationLevel,
  path: Path,
  findings: Findings,
): void {
  for (const backend of BACKEND_KINDS) {
    const section = limits?.[backend];
    if (section !== undefined) {
      checkLevels(section, level, [...path, backend], findings);
      checkCaps(section, file, backend, [...path, backend], findings);
    }
  }
}

function checkLevels(section: RuleBackendSection, level: IsolationLevel, path: Path, findings: Findings): void {
  const given = new Map(Object.entries(section));
  for (const { name, levels } of keysOf(RuleBackendSection).values()) {
    if (given.get(name) !== undefined && levels?.includes(level) === false) {
      const text = `expected only at isolation_level ${levels.join(' or ')}; the tenants of the rule have ${level}`;
      findings.problem([...path, name], text);
    }
  }
}

function checkCaps(
  section: RuleBackendSection,
  file: ControlPlaneFile,
  backend: BackendKind,
  path: Path,
  findings: Findings,
): void {
  const ofFile = file.connection_pools?.[backend];
  const caps = [
    ['connections_per_namespace', 'max_total_connections'],
    ['per_session_limit', 'max_connections'],
  ] as const;
  for (const [part, whole] of caps) {
    const [limit, cap] = [section[part], section[whole] ?? ofFile?.[whole]];
    if (limit !== undefined && cap !== undefined && limit > cap) {
      findings.expected([...path, part], `at most ${whole} (${cap})`, limit);
    }
  }
}
