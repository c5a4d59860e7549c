import { ISOLATION_LEVELS, type IsolationLevel } from '@palisade/domain';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import { readAudit } from './audit-section.js';
import type { IsolationSettings } from '../isolation-settings.js';
import { readResourceLimits, readUsage } from './limits-section.js';
import { readNamespacePools, readSharedPool } from './pool-section.js';
import { readDedicatedBackend, readSessionManagement } from './session-section.js';
import { SettingsReader } from './settings-reader.js';

/** Longer names help nobody. */
const BACKEND_NAME = /^[a-z][a-z0-9-]{0,30}$/;

/**
 * Checks settings and makes them typed. Keys are snake_case (`isolation_level`, `connection_pools`, `resource_limits`,
 * `session_management`, `usage`, `audit`); which of them make sense depends on the level, and any other key is a problem.
 *
 * @throws {InvalidSettingsError} with every problem that was found
 */
export function parseIsolationSettings(input: unknown): IsolationSettings {
  const problems: string[] = [];
  const root = new SettingsReader(input, '', problems);
  root.require('isolation_level');
  const level = root.choice('isolation_level', ISOLATION_LEVELS);
  const settings = level && readLevel(level, root);
  if (level !== undefined) {
    root.finish();
  }
  if (settings === undefined || problems.length > 0) {
    throw new InvalidSettingsError(problems);
  }
  return settings;
}

function readLevel(level: IsolationLevel, root: SettingsReader): IsolationSettings | undefined {
  const limits = readResourceLimits(root.section('resource_limits'));
  const usage = readUsage(root.section('usage'), limits);
  const audit = readAudit(root.section('audit'), level);
  const common = { limits, usage, actions: audit.actions };
  root.require('connection_pools');
  const pools = root.section('connection_pools');
  switch (level) {
    case 'none':
      return { level, ...common, pools: readBackends(pools, false, readSharedPool) };
    case 'namespace':
      return { level, ...common, pools: readBackends(pools, true, readNamespacePools) };
    case 'session': {
      root.require('session_management');
      const management = root.section('session_management');
      const sessions = management && readSessionManagement(management);
      const backends = readBackends(pools, false, readDedicatedBackend);
      return sessions && { level, ...common, sessions: { ...sessions, audit: audit.sessions, backends } };
    }
    default:
      return level satisfies never;
  }
}

function readBackends<T>(
  section: SettingsReader | undefined,
  isPerNamespace: boolean,
  read: (backend: SettingsReader) => T | undefined,
): ReadonlyMap<string, T> {
  const backends = new Map<string, T>();
  if (section === undefined) {
    return backends;
  }
  const perNamespace = section.boolean('per_namespace');
  if (perNamespace !== undefined && perNamespace !== isPerNamespace) {
    section.report('per_namespace', `expected ${isPerNamespace} at this isolation_level`);
  }
  for (const name of section.otherKeys) {
    const backend = BACKEND_NAME.test(name) ? section.section(name) : undefined;
    const settings = backend && read(backend);
    if (settings !== undefined) {
      backends.set(name, settings);
    }
  }
  section.finish();
  return backends;
}
