import { describeIssues, tolerant } from '@palisade/isolation/settings';
import { checkFile } from './checks/check-file.js';
import { settle, writeCompleted, type ControlPlaneSettings } from './control-plane-settings.js';
import { Findings, formatPlaced, type Position } from './findings.js';
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

function readData(data: unknown, name?: string, yaml?: YamlFile): ReadSettings {
  const findings = new Findings(data);
  for (const { path, text } of yaml?.problems ?? []) {
    findings.problem(path, text);
  }
  const file = readFile(data, findings);
  const routes = readMoreRoutes(file, findings);
  // When not all problems are known, neither is what may be relied on.
  if (findings.isComplete) {
    checkFile(file, routes, findings);
  }
  const locate = (path: readonly (string | number)[]): Position | undefined =>
    path[0] === 'namespace_routing_file' && typeof path[1] === 'number'
      ? { file: file.namespaceRoutingFile, line: path[1], column: 1 }
      : yaml?.locate(path);
  const { problems, warnings } = findings.format(name, locate);
  if (problems.length > 0) {
    return { problems, warnings };
  }
  const settings = settle(file, routes, warnings);
  return { settings, complete: () => writeCompleted(file, settings), problems, warnings };
}

/** The file; where it has problems, defaults stand in for what is wrong, so that the rest can be checked as well. */
function readFile(data: unknown, findings: Findings): ControlPlaneFile {
  const { data: file, error } = CONTROL_PLANE_FILE.safeParse(data);
  if (file !== undefined) {
    return file;
  }
  for (const { path, text } of describeIssues(CONTROL_PLANE_FILE, data, error?.issues ?? [])) {
    findings.problem(path, text);
  }
  const schema = tolerant(CONTROL_PLANE_FILE);
  return (schema.safeParse(data).data ?? schema.parse({})) as ControlPlaneFile;
}

function readMoreRoutes({ namespaceRoutingFile: path }: ControlPlaneFile, findings: Findings): readonly FileRoute[] {
  const { routes, problems } = path === undefined ? { routes: [], problems: [] } : readRoutingFile(path);
  for (const { path: at, text } of problems) {
    findings.problem(at, text);
  }
  return routes;
}
