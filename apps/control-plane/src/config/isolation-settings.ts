import {
  BACKEND_KINDS,
  isObject,
  type BackendKind,
  type IsolationLevel,
  type JsonObject,
  type JsonValue,
} from '@palisade/domain';
import { keyNotes, structureOf, withoutWrappers } from '@palisade/isolation/settings';
import { z } from 'zod';
import { ISOLATION_SECTIONS, type ControlPlaneFile } from './schema/control-plane-file.js';

type Isolation = Pick<ControlPlaneFile, 'connectionPools' | 'resourceLimits' | 'sessionManagement' | 'usage' | 'audit'>;

/**
 * What the file says to proxies of one isolation level, as `parseIsolationSettings` takes it: the keys that are of use at
 * the level. Backends without any are left out.
 */
export function isolationSettingsFor(level: IsolationLevel, file: Isolation): JsonObject {
  const { connectionPools, resourceLimits, sessionManagement, usage, audit } = file;
  const written = z.encode(ISOLATION_SECTIONS, { connectionPools, resourceLimits, sessionManagement, usage, audit });
  const { connection_pools: pools = {}, ...others } = sectionAt(level, ISOLATION_SECTIONS, written);
  const logsSessions = audit?.logSessionLifecycle === true;
  const sections = {
    ...others,
    audit: auditFor(level, isObject(others['audit']) ? others['audit'] : {}, logsSessions),
  };
  return {
    isolation_level: level,
    connection_pools: {
      ...(level === 'namespace' && { per_namespace: connectionPools?.perNamespace ?? true }),
      ...Object.fromEntries(Object.entries(pools as JsonObject).filter(([, each]) => !isEmpty(each))),
    },
    ...Object.fromEntries(Object.entries(sections).filter(([, each]) => !isEmpty(each))),
  };
}

/** Where only sessions have to leave records, work elsewhere is not rejected for the lack of records. */
function auditFor(level: IsolationLevel, { mandatory, ...audit }: JsonObject, logsSessions: boolean): JsonObject {
  const isOfUse = level === 'session' || audit['log_actions'] === true || !logsSessions;
  return mandatory !== undefined && isOfUse ? { ...audit, mandatory } : audit;
}

/** Backends whose `connection_pools` have a key that is of use at the level. */
export function backendsWith(level: IsolationLevel, { connectionPools }: Isolation): BackendKind[] {
  const { connection_pools: pools } = isolationSettingsFor(level, { connectionPools });
  return BACKEND_KINDS.filter((kind) => isObject(pools) && pools[kind] !== undefined);
}

/** The keys of a written section that are of use at the level. */
function sectionAt(level: IsolationLevel, schema: z.core.$ZodType, written: unknown): JsonObject {
  const structure = structureOf(schema);
  const keys: Readonly<Record<string, z.core.$ZodType>> = structure instanceof z.ZodObject ? structure.def.shape : {};
  const entries: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(written ?? {})) {
    const key = keys[name];
    if (key !== undefined && value !== undefined && keyNotes(key)?.levels?.includes(level) !== false) {
      entries.push([name, valueAt(level, key, value)]);
    }
  }
  return Object.fromEntries(entries);
}

function valueAt(level: IsolationLevel, schema: z.core.$ZodType, written: unknown): JsonValue {
  const structure = structureOf(withoutWrappers(schema));
  if (structure instanceof z.ZodRecord) {
    const values = Object.entries(isObject(written) ? written : {});
    return Object.fromEntries(values.map(([name, each]) => [name, sectionAt(level, structure.def.valueType, each)]));
  }
  return isObject(written) ? sectionAt(level, schema, written) : (written as JsonValue);
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
