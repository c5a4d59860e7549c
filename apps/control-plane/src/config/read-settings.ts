import type { ControlPlaneSettings } from './control-plane-settings.js';
import { checkBackends } from '../settings/checks/backends.check.js';
import type { Check } from '../settings/checks/check.js';
import { checkCompliance } from '../settings/checks/compliance.check.js';
import { checkCluster, checkDeployment } from '../settings/checks/deployment.check.js';
import { checkDiscovery } from '../settings/checks/discovery.check.js';
import { checkDurations } from '../settings/checks/durations.check.js';
import { checkIsolation } from '../settings/checks/isolation.check.js';
import { checkLoadBalancer } from '../settings/checks/load-balancer.check.js';
import { checkNamespaceRouting } from '../settings/checks/namespace-routing.check.js';
import { checkDefaultPool, checkPools } from '../settings/checks/pools.check.js';
import { checkTenantRouting } from '../settings/checks/tenant-routing.check.js';
import { ControlPlaneFile } from '../settings/dto/control-plane-file.js';
import { Findings, formatFinding, type Finding } from '../settings/findings/findings.js';
import { completeFile } from '../settings/mapping/complete-file.js';
import { toSettings } from '../settings/mapping/settings.mapper.js';
import { readSections } from '../settings/sections/read-sections.js';
import type { Position } from '../settings/yaml/position.js';
import { readYaml, type YamlFile } from '../settings/yaml/read-yaml.js';

const CHECKS: readonly Check[] = [
  checkDeployment,
  checkCluster,
  checkPools,
  checkDefaultPool,
  checkNamespaceRouting,
  checkTenantRouting,
  checkBackends,
  checkLoadBalancer,
  checkDiscovery,
  checkDurations,
  checkIsolation,
  checkCompliance,
];

/** What a configuration file says, or all that is wrong with it. */
export interface ReadSettings {
  /** Absent when there are problems. */
  readonly settings?: ControlPlaneSettings;
  /** The file with all defaults and all that follows from it; absent when there are problems. */
  readonly completed?: ControlPlaneFile;
  /** In the order of the file; without values of secrets. */
  readonly problems: readonly string[];
  /** Allowed, but probably not meant. */
  readonly warnings: readonly string[];
}

/**
 * Reads a configuration file. Each problem and warning begins with a place, if it has one, and the path of a key:
 * `<name>:12:5 proxy_pools.premium.replicas: expected …, found …`.
 */
export function readSettings(text: string, name: string): ReadSettings {
  const findings = new Findings();
  const yaml = readYaml(text, findings, 'namespace_routing');
  if (!('locate' in yaml)) {
    return { problems: yaml.map((each) => place(name, each.position, each.text)), warnings: [] };
  }
  return conclude(checkFile(yaml.value ?? {}, findings), findings, name, yaml);
}

/** Like `readSettings`, for data that is in no file. */
export function readSettingsFrom(data: unknown): ReadSettings {
  const findings = new Findings();
  return conclude(checkFile(data, findings), findings);
}

function checkFile(data: unknown, findings: Findings): ControlPlaneFile {
  const file = readSections(ControlPlaneFile, data, findings);
  // When not all problems are known, neither is what may be relied on.
  if (findings.omitted.problems === 0) {
    for (const check of CHECKS) {
      check(file, findings);
    }
  }
  return file;
}

function conclude(file: ControlPlaneFile, findings: Findings, name?: string, yaml?: YamlFile): ReadSettings {
  const format = (list: readonly Finding[], omitted: number): readonly string[] => {
    const placed = list.map((finding) => ({ finding, position: yaml?.locate(finding.path) }));
    const lines = placed
      .toSorted((a, b) => comparePositions(a.position, b.position))
      .map(({ finding, position }) => place(name, position, formatFinding(finding)));
    return Object.freeze(omitted === 0 ? lines : [...lines, `and ${omitted} more`]);
  };
  const problems = format(findings.problems, findings.omitted.problems);
  const warnings = format(findings.warnings, findings.omitted.warnings);
  if (problems.length > 0) {
    return { problems, warnings };
  }
  const completed = completeFile(file);
  return { settings: toSettings(completed, warnings), completed, problems, warnings };
}

function comparePositions(a: Position | undefined, b: Position | undefined): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

function place(name: string | undefined, position: Position | undefined, text: string): string {
  if (name === undefined) {
    return text;
  }
  return position === undefined ? `${name}: ${text}` : `${name}:${position.line}:${position.column} ${text}`;
}
