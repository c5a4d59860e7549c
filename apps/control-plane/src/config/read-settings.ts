import { describeIssues, tolerant } from '@palisade/isolation/settings';
import { checkCompliance } from './checks/compliance.js';
import { checkDeployment } from './checks/deployment.js';
import { checkIsolation } from './checks/isolation.js';
import { checkBackends, checkDiscovery, checkHealth, checkLoadBalancer } from './checks/operations.js';
import { checkDefaultPool, checkNamespaceRouting, checkPools } from './checks/pools.js';
import { checkTenantRouting } from './checks/tenant-routing.js';
import { settle, writeCompleted, type ControlPlaneSettings } from './control-plane-settings.js';
import { FileReport, formatPlaced, type Position } from './file-report.js';
import { readRoutingFile, type FileRoute } from './routing-file.js';
import { CONTROL_PLANE_FILE, type ControlPlaneFile } from './schema/control-plane-file.js';
import { MAX_FILE_BYTES, readTextFile } from './text-file.js';
import { readYaml, type YamlFile } from './yaml-file.js';

/** What a configuration file says, or all that is wrong with it. */
export interface ReadSettings {
  /** Absent when there are problems. */
  readonly settings?: ControlPlaneSettings;
  /** The file with all defaults and all that follows from it, as it could be written; absent when there are problems. */
  readonly complete?: () => unknown;
  /** In the order of the file; without values of secrets. */
  readonly problems: readonly string[];
  /** Allowed, but probably not intended. */
  readonly warnings: readonly string[];
}

/** Enough to register tenants and look around. */
const BUILT_IN_FILE = {
  deployment: { model: 'multi_tenant' },
  proxy_pools: {
    standard: { replicas: 2, isolation_level: 'namespace' },
    premium: { replicas: 2, isolation_level: 'session' },
  },
};

/**
 * Reads a configuration file by its path; without one, the built-in configuration.
 *
 * @throws {UnreadableFileError}
 */
export function readConfiguration(path: string | undefined): ReadSettings {
  return path === undefined ? readData(BUILT_IN_FILE) : readSettings(readTextFile(path, MAX_FILE_BYTES), path);
}

/**
 * Reads the text of a configuration file. Each problem and warning begins with a place, if it has one, and the path of a key:
 * `<name>:12:5 proxy_pools.premium.replicas: expected …, found …`.
 */
export function readSettings(text: string, name: string): ReadSettings {
  const yaml = readYaml(text);
  if (!('locate' in yaml)) {
    return { problems: [formatPlaced(name, yaml.position, yaml.text)], warnings: [] };
  }
  return readData(yaml.value ?? {}, name, yaml);
}

/**
 * What cannot be true together in a file whose single values have been checked. Values with problems stand at their
 * defaults, or are undefined whatever their type says; a check draws no conclusions from them.
 */
const CHECKS: readonly ((file: ControlPlaneFile, report: FileReport, routes: readonly FileRoute[]) => void)[] = [
  checkDeployment,
  checkPools,
  checkDefaultPool,
  checkNamespaceRouting,
  checkTenantRouting,
  checkBackends,
  checkLoadBalancer,
  checkDiscovery,
  checkHealth,
  checkIsolation,
  checkCompliance,
];

function readData(data: unknown, name?: string, yaml?: YamlFile): ReadSettings {
  const report = new FileReport(data, yaml?.problems);
  const file = readFile(data, report);
  const { namespaceRoutingFile } = file;
  const { routes, problems: ofRoutes } = readRoutingFile(namespaceRoutingFile);
  report.add(ofRoutes);
  // When not all problems are known, neither is what may be relied on.
  if (report.isComplete) {
    CHECKS.forEach((check) => check(file, report, routes));
  }
  const locate = (path: readonly (string | number)[]): Position | undefined =>
    path[0] === 'namespace_routing_file' && typeof path[1] === 'number'
      ? { file: namespaceRoutingFile, line: path[1], column: 1 }
      : yaml?.locate(path);
  const { problems, warnings } = report.format(name, locate);
  if (problems.length > 0) {
    return { problems, warnings };
  }
  const settings = settle(file, routes, warnings);
  return { settings, complete: () => writeCompleted(file, settings), problems, warnings };
}

/** The file; where it has problems, defaults stand in for what is wrong, so that the rest can be checked as well. */
function readFile(data: unknown, report: FileReport): ControlPlaneFile {
  const { data: file, error } = CONTROL_PLANE_FILE.safeParse(data);
  if (file !== undefined) {
    return file;
  }
  report.add(describeIssues(CONTROL_PLANE_FILE, data, error?.issues ?? []));
  const schema = tolerant(CONTROL_PLANE_FILE);
  return (schema.safeParse(data).data ?? schema.parse({})) as ControlPlaneFile;
}
