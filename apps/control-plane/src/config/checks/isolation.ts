import { BACKEND_KINDS, isObject, type IsolationLevel } from '@palisade/domain';
import { keyNotes, readIsolationSettings, structureOf, valueAt, type Path } from '@palisade/isolation/settings';
import { z } from 'zod';
import type { Findings } from '../findings.js';
import { backendsWith, isolationSettingsFor } from '../isolation-settings.js';
import { resolvePools } from '../resolve-pools.js';
import { ISOLATION_SECTIONS, type ControlPlaneFile } from '../schema/control-plane-file.js';

const SECTIONS = ['connection_pools', 'resource_limits', 'session_management', 'usage', 'audit'];

/** What the file says to proxies would be accepted by the proxies of each level, and there are proxies for all of it. */
export function checkIsolation(file: ControlPlaneFile, findings: Findings): void {
  if (!SECTIONS.some((name) => findings.isGiven([name]))) {
    return;
  }
  const namesByLevel = poolsByLevel(file);
  if (namesByLevel.size > 0 && ['proxy_pools', 'proxy', 'isolation_level'].every((name) => findings.isSound(name))) {
    checkUse(ISOLATION_SECTIONS, [], new Set(namesByLevel.keys()), findings);
  }
  if (SECTIONS.every((name) => findings.hasForm(name) && findings.isSound(name))) {
    for (const [level, pools] of namesByLevel) {
      warnOfGaps(file, level, pools, findings);
      checkSettings(file, level, findings);
    }
  }
}

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
function checkUse(schema: z.core.$ZodType, path: Path, levels: ReadonlySet<IsolationLevel>, findings: Findings): void {
  const structure = structureOf(schema);
  const keys: Readonly<Record<string, z.core.$ZodType>> = structure instanceof z.ZodObject ? structure.def.shape : {};
  for (const [name, key] of Object.entries(keys)) {
    const at = [...path, name];
    const ofUse = keyNotes(key)?.levels;
    const written = valueAt(findings.input, at);
    if (written !== undefined && written !== false && ofUse?.some((level) => levels.has(level)) === false) {
      findings.problem(at, `expected only with isolation_level ${ofUse.join(' or ')}, which no pool has`);
    } else if (isObject(written)) {
      checkUse(key, at, levels, findings);
    }
  }
}

/** Proxies need more than the file says; whoever starts them may say it. */
function warnOfGaps(file: ControlPlaneFile, level: IsolationLevel, pools: readonly string[], findings: Findings): void {
  const whose = `isolation_level ${level}, which ${pools.slice(0, 3).join(', ')}${pools.length > 3 ? ', …' : ''} have`;
  const given = new Set(backendsWith(level, file));
  for (const kind of BACKEND_KINDS) {
    if (file.connectionPools?.[kind] !== undefined && !given.has(kind) && findings.isSound('connection_pools', kind)) {
      findings.warning(['connection_pools', kind], `says nothing for ${whose}: their proxies need limits of their own`);
    }
  }
  if (level === 'session' && file.sessionManagement === undefined && file.connectionPools !== undefined) {
    findings.warning(
      ['session_management'],
      `is absent, but needed for ${whose}: their proxies need max_sessions of their own`,
    );
  }
}

function checkSettings(file: ControlPlaneFile, level: IsolationLevel, findings: Findings): void {
  const settings: Record<string, unknown> = { ...isolationSettingsFor(level, file) };
  if (level === 'session' && file.sessionManagement === undefined) {
    settings['session_management'] = { max_sessions: 1_000_000 };
  }
  for (const { path, text } of readIsolationSettings(settings).problems) {
    if (findings.isSound(...path)) {
      findings.problem(path, `${text} (isolation_level ${level})`);
    }
  }
}
