import {
  BACKEND_KINDS,
  type BackendKind,
  type IsolationLevel,
  type JsonObject,
  type JsonValue,
} from '@palisade/domain';
import type { ControlPlaneFile } from '../dto/control-plane-file.js';
import { keysOfInstance, type Key } from '../sections/key-registry.js';

/**
 * What the file says to proxies of one isolation level, as `parseIsolationSettings` takes it: the keys that are of use at
 * the level. Backends without any are left out.
 */
export function isolationSettingsFor(level: IsolationLevel, file: ControlPlaneFile): JsonObject {
  const { connection_pools: pools, resource_limits: limits, session_management: sessions, audit } = file;
  const backends = backendsWith(level, file).map((kind) => [kind, toPlain(pools?.[kind], level)]);
  const others = {
    resource_limits: toPlain(limits, level),
    session_management: toPlain(level === 'session' ? sessions : undefined, level),
    audit: auditFor(level, toPlain(audit, level), audit?.log_session_lifecycle === true),
  };
  return {
    isolation_level: level,
    connection_pools: {
      ...(level === 'namespace' && { per_namespace: pools?.per_namespace ?? true }),
      ...Object.fromEntries(backends),
    },
    ...Object.fromEntries(Object.entries(others).filter(([, section]) => Object.keys(section).length > 0)),
  };
}

/** Where only sessions have to leave records, others are not refused for the lack of records. */
function auditFor(level: IsolationLevel, { mandatory, ...audit }: JsonObject, logsSessions: boolean): JsonObject {
  const isOfUse = level === 'session' || audit['log_actions'] === true || !logsSessions;
  return mandatory !== undefined && isOfUse ? { ...audit, mandatory } : audit;
}

/** Backends whose `connection_pools` have a key that is of use at the level. */
export function backendsWith(level: IsolationLevel, { connection_pools: pools }: ControlPlaneFile): BackendKind[] {
  return BACKEND_KINDS.filter((kind) => Object.keys(toPlain(pools?.[kind], level)).length > 0);
}

/** The keys of a section that are given and of use at the level. */
function toPlain(section: object | undefined, level: IsolationLevel): JsonObject {
  const keys = section === undefined ? [] : keysOfInstance(section).values();
  const given = new Map<string, unknown>(Object.entries(section ?? {}));
  const entries: [string, JsonValue][] = [];
  for (const key of keys) {
    const value = given.get(key.name);
    if (value !== undefined && key.levels?.includes(level) !== false) {
      entries.push([key.name, plainValue(key, value, level)]);
    }
  }
  return Object.fromEntries(entries);
}

function plainValue(key: Key, value: unknown, level: IsolationLevel): JsonValue {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([name, each]) => [name, toPlain(each, level)]));
  }
  if (typeof value === 'object' && value !== null) {
    return toPlain(value, level);
  }
  const canonical = key.form === 'value' ? key.kind.canonical?.(value) : undefined;
  return canonical ?? (value as JsonValue);
}
