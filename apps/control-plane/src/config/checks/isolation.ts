import { BACKEND_KINDS } from '@palisade/domain';
import { readIsolationSettings } from '@palisade/isolation/settings';
import type { FileReport } from '../file-report.js';
import { isolationSettingsFor } from '../isolation-settings.js';
import { resolvePools } from '../resolve-pools.js';
import type { ControlPlaneFile } from '../schema/control-plane-file.js';

const SECTIONS = ['connection_pools', 'resource_limits', 'session_management', 'usage', 'audit'];

/** What the file says to proxies would be accepted by them, and what it states of isolation levels is so. */
export function checkIsolation(file: ControlPlaneFile, report: FileReport): void {
  if (!SECTIONS.some((name) => report.isGiven([name]))) {
    return;
  }
  if (['proxy_pools', 'proxy', 'isolation_level', 'connection_pools'].every((name) => report.isSound(name))) {
    checkLevels(file, report);
  }
  if (SECTIONS.every((name) => report.hasForm(name) && report.isSound(name))) {
    for (const { path, text } of readIsolationSettings(isolationSettingsFor('namespace', file)).problems) {
      report.problem(path, text);
    }
  }
}

/** Reports what is stated of levels that no pool has. */
function checkLevels(file: ControlPlaneFile, report: FileReport): void {
  const levels = new Set(
    resolvePools(file)
      .values()
      .map(({ isolationLevel }) => isolationLevel),
  );
  const { perNamespace, ...backends } = file.connectionPools ?? {};
  if (perNamespace !== undefined && perNamespace !== levels.has('namespace')) {
    report.expected(['connection_pools', 'per_namespace'], `${!perNamespace}, as the levels of the pools say`);
  }
  for (const kind of BACKEND_KINDS) {
    const shared = backends[kind]?.shared;
    const isPossible = shared === true ? levels.has('none') : levels.difference(new Set(['none'])).size > 0;
    if (shared !== undefined && !isPossible) {
      report.expected(['connection_pools', kind, 'shared'], `${!shared}, as the levels of the pools say`);
    }
  }
}
