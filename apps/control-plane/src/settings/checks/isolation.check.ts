import { BACKEND_KINDS, type IsolationLevel } from '@palisade/domain';
import { readIsolationSettings } from '@palisade/isolation/settings';
import type { ControlPlaneFile } from '../dto/control-plane-file.js';
import type { Findings } from '../findings/findings.js';
import type { Path } from '../findings/path.js';
import { backendsWith, isolationSettingsFor } from '../mapping/isolation-settings.js';
import { resolvePools } from '../mapping/resolve-pools.js';
import { keysOfInstance } from '../sections/key-registry.js';
import type { Check } from './check.js';

const SECTIONS = ['connection_pools', 'resource_limits', 'session_management', 'audit'] as const;

/** What the file says to proxies would be accepted by the proxies of each level, and nothing of it is said to nobody. */
export const checkIsolation: Check = (file, findings) => {
  if (SECTIONS.every((name) => file[name] === undefined)) {
    return;
  }
  const namesByLevel = poolsByLevel(file);
  if (namesByLevel.size > 0 && ['proxy_pools', 'proxy', 'isolation_level'].every((name) => findings.isSound([name]))) {
    checkUse(file, new Set(namesByLevel.keys()), findings);
  }
  for (const [level, pools] of namesByLevel) {
    warnOfGaps(file, level, pools, findings);
    checkSettings(file, level, findings);
  }
};

function poolsByLevel(file: ControlPlaneFile): ReadonlyMap<IsolationLevel, readonly string[]> {
  const names = new Map<IsolationLevel, string[]>();
  for (const [name, { isolationLevel }] of resolvePools(file)) {
    if (isolationLevel !== undefined) {
      names.set(isolationLevel, [...(names.get(isolationLevel) ?? []), name]);
    }
  }
  return names;
}

/** Reports keys whose levels no pool has. */
function checkUse(file: ControlPlaneFile, levels: ReadonlySet<IsolationLevel>, findings: Findings): void {
  const report = (path: Path, ofUse: readonly IsolationLevel[]): void =>
    findings.problem(path, `expected only with isolation_level ${ofUse.join(' or ')}, which no pool has`);
  if (file.session_management !== undefined && !levels.has('session')) {
    report(['session_management'], ['session']);
  }
  const sections: [Path, object | undefined][] = [
    [['connection_pools'], file.connection_pools],
    [['audit'], file.audit],
    ...BACKEND_KINDS.map((kind): [Path, object | undefined] => [
      ['connection_pools', kind],
      file.connection_pools?.[kind],
    ]),
  ];
  for (const [path, section] of sections) {
    const given = new Map<string, unknown>(Object.entries(section ?? {}));
    for (const { name, levels: ofUse } of section === undefined ? [] : keysOfInstance(section).values()) {
      const isSaid = given.get(name) !== undefined && given.get(name) !== false;
      if (isSaid && ofUse?.some((level) => levels.has(level)) === false) {
        report([...path, name], ofUse);
      }
    }
  }
}

/** Proxies need more than the file says; whoever starts them may say it. */
function warnOfGaps(file: ControlPlaneFile, level: IsolationLevel, pools: readonly string[], findings: Findings): void {
  const whose = `isolation_level ${level}, which ${pools.slice(0, 3).join(', ')}${pools.length > 3 ? ', …' : ''} have`;
  const given = new Set(backendsWith(level, file));
  for (const kind of BACKEND_KINDS) {
    if (
      file.connection_pools?.[kind] !== undefined &&
      !given.has(kind) &&
      findings.isSound(['connection_pools', kind])
    ) {
      findings.warning(['connection_pools', kind], `says nothing for ${whose}: their proxies need limits of their own`);
    }
  }
  if (level === 'session' && file.session_management === undefined && file.connection_pools !== undefined) {
    findings.warning(
      ['session_management'],
      `is absent, but needed for ${whose}: their proxies need max_sessions of their own`,
    );
  }
}

function checkSettings(file: ControlPlaneFile, level: IsolationLevel, findings: Findings): void {
  const settings: Record<string, unknown> = { ...isolationSettingsFor(level, file) };
  if (level === 'session' && file.session_management === undefined) {
    settings['session_management'] = { max_sessions: 1_000_000 };
  }
  for (const { path, text } of readIsolationSettings(settings).problems) {
    if (findings.isSound(path)) {
      findings.problem(path, `${text} (isolation_level ${level})`);
    }
  }
}
