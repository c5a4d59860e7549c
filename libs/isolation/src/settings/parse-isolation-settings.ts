import { ISOLATION_LEVELS, isObject, type IsolationLevel } from '@palisade/domain';
import { z } from 'zod';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import type { IsolationSettings } from '../isolation-settings.js';
import { limitsCpu } from '../limits/resource-limits.js';
import { completePoolSettings } from '../pools/pool-options.js';
import { findPoolProblems } from '../pools/pool-problems.js';
import type { PoolSettings, PoolSettingsInput } from '../pools/pool-settings.js';
import { defaultSessionsPerClient } from '../sessions/session-settings.js';
import { describeIssues, expectedText, formatProblem, valueAt, type Path, type Problem } from './problems.js';
import { optional, present, required, section, type SectionValue } from './schema.js';
import { AUDIT_KEYS, BACKEND_KEYS, RESOURCE_LIMITS, SESSION_MANAGEMENT, USAGE } from './sections.js';
import { choice, FLAG } from './values.js';

const LEVEL = section({ isolation_level: required(choice(ISOLATION_LEVELS), 'What shares connections.') });

/** Longer names help nobody. */
const BACKEND_NAME = /^[a-z][a-z0-9-]{0,30}$/;

const COMMON = {
  isolation_level: required(choice(ISOLATION_LEVELS), 'What shares connections.'),
  resource_limits: present(RESOURCE_LIMITS, 'What one proxy lets be used.'),
  usage: present(USAGE, 'What is measured.'),
};

const SETTINGS = {
  none: section({
    ...COMMON,
    connection_pools: required(backends(section(BACKEND_KEYS.none)), 'Connections of one proxy to backends.'),
    audit: present(section(AUDIT_KEYS.none), 'What is recorded.'),
  }),
  namespace: section({
    ...COMMON,
    connection_pools: required(backends(section(BACKEND_KEYS.namespace)), 'Connections of one proxy to backends.'),
    audit: present(section(AUDIT_KEYS.namespace), 'What is recorded.'),
  }),
  session: section({
    ...COMMON,
    connection_pools: required(backends(section(BACKEND_KEYS.session)), 'Connections of one proxy to backends.'),
    session_management: required(SESSION_MANAGEMENT, 'Sessions of one proxy.'),
    audit: present(section(AUDIT_KEYS.session), 'What is recorded.'),
  }),
};

interface Backends<T> {
  readonly perNamespace?: boolean;
  readonly pools: ReadonlyMap<string, T>;
}

/** `connection_pools`: backends of any name, beside `per_namespace`. */
function backends<T>(backend: z.ZodType<T>): z.ZodType<Backends<T>> {
  const named = z.any().superRefine((given: unknown, context) => {
    const keys = Object.keys(isObject(given) ? given : {}).filter(
      (name) => name !== 'per_namespace' && !BACKEND_NAME.test(name),
    );
    if (keys.length > 0) {
      context.addIssue({ code: 'unrecognized_keys', keys, input: given as Record<string, unknown> });
    }
  });
  const backendsByName: z.ZodType<Record<string, unknown>> = z
    .object({ per_namespace: optional(FLAG, 'States what the level implies: whether each namespace has a pool.') })
    .catchall(backend);
  const written = z.codec(named, backendsByName, {
    decode: (given) => given as never,
    encode: (given) => given as never,
  });
  return z.codec(written, z.custom<Backends<T>>(), {
    decode: ({ per_namespace: perNamespace, ...pools }) => ({
      perNamespace: perNamespace as boolean | undefined,
      pools: new Map(Object.entries(pools as Record<string, T>)),
    }),
    encode: ({ perNamespace, pools }) => ({ ...Object.fromEntries(pools), per_namespace: perNamespace }) as never,
  });
}

/**
 * Checks settings and makes them typed. Keys are snake_case (`isolation_level`, `connection_pools`, `resource_limits`,
 * `session_management`, `usage`, `audit`); which of them make sense depends on the level, and any other key is a problem.
 *
 * @throws {InvalidSettingsError} with every problem that was found
 */
export function parseIsolationSettings(input: unknown): IsolationSettings {
  const { settings, problems } = readIsolationSettings(input);
  if (settings === undefined) {
    throw new InvalidSettingsError(problems.map(formatProblem));
  }
  return settings;
}

export interface ReadIsolationSettings {
  /** Absent when there are problems. */
  readonly settings?: IsolationSettings;
  readonly problems: readonly Problem[];
}

/** Like `parseIsolationSettings`, with the problems as values. */
export function readIsolationSettings(input: unknown): ReadIsolationSettings {
  const level = isObject(input) ? input['isolation_level'] : undefined;
  if (!isLevel(level)) {
    // Without a level nothing is known about the other keys.
    return { problems: problemsOf(LEVEL, isObject(input) ? { isolation_level: level } : input) };
  }
  const hidden = findHiddenKey(input);
  const problems = hidden === undefined ? problemsOf(SETTINGS[level], input) : [{ path: hidden, text: 'unknown key' }];
  if (problems.length > 0) {
    return { problems };
  }
  const found: Problem[] = [];
  const report = (path: Path, text: string): void => void found.push({ path, text });
  const expect = (path: Path, expected: string): void => report(path, expectedText(expected, valueAt(input, path)));
  const settings = settle(level, input, { report, expect });
  return found.length === 0 ? { settings, problems: [] } : { problems: found };
}

function isLevel(level: unknown): level is IsolationLevel {
  return ISOLATION_LEVELS.some((each) => each === level);
}

function problemsOf(schema: z.ZodType, input: unknown): Problem[] {
  return [...describeIssues(schema, input, schema.safeParse(input).error?.issues ?? [])];
}

/** JSON can have keys that objects take for their prototype; zod does not see them. */
function findHiddenKey(value: unknown, path: Path = []): Path | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  if (Object.hasOwn(value, '__proto__')) {
    return [...path, '__proto__'];
  }
  for (const [name, each] of Object.entries(value)) {
    const found = findHiddenKey(each, [...path, name]);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

interface Reporter {
  readonly report: (path: Path, text: string) => void;
  /** Says what was found as well. */
  readonly expect: (path: Path, expected: string) => void;
}

function settle(level: IsolationLevel, input: unknown, reporter: Reporter): IsolationSettings {
  switch (level) {
    case 'none': {
      const settings = SETTINGS.none.parse(input);
      const { audit, connectionPools } = settings;
      checkPerNamespace(connectionPools, false, reporter);
      const pools = mapValues(connectionPools.pools, ({ maxConnections: maxTotal, shared, ...queueing }, name) => {
        if (shared === false) {
          reporter.report(poolPath(name, 'shared'), 'expected true, as isolation_level none shares the pool');
        }
        return { ...queueing, maxTotal };
      });
      return { level, ...common(settings, reporter), actions: actionsOf(audit, undefined, reporter), pools };
    }
    case 'namespace': {
      const settings = SETTINGS.namespace.parse(input);
      const { audit, connectionPools } = settings;
      checkPerNamespace(connectionPools, true, reporter);
      const pools = mapValues(connectionPools.pools, (pool, name): PoolSettingsInput => {
        const { maxTotalConnections: maxTotal, connectionsPerNamespace: maxPerNamespace, ...others } = pool;
        const merged = { ...others, maxTotal, maxPerNamespace };
        checkCaps(merged, name, reporter);
        return merged;
      });
      return { level, ...common(settings, reporter), actions: actionsOf(audit, undefined, reporter), pools };
    }
    case 'session': {
      const settings = SETTINGS.session.parse(input);
      const { audit, connectionPools, sessionManagement } = settings;
      checkPerNamespace(connectionPools, false, reporter);
      checkSessions(sessionManagement, reporter);
      const { logsSessions = false, logsConnections = false, isMandatory = false } = audit;
      const actions = actionsOf(audit, logsSessions, reporter);
      const { connectionReuse: _, maxSessions, ...sessions } = sessionManagement;
      return {
        level,
        ...common(settings, reporter),
        actions,
        sessions: {
          maxSessions,
          maxSessionsPerNamespace: sessions.maxSessionsPerNamespace ?? maxSessions,
          maxSessionsPerClient: sessions.maxSessionsPerClient ?? defaultSessionsPerClient(maxSessions),
          sessionTimeoutMs: sessions.sessionTimeoutMs ?? 300_000,
          drainTimeoutMs: sessions.drainTimeoutMs ?? 30_000,
          connectTimeoutMs: sessions.connectTimeoutMs ?? 5000,
          audit: { logsSessions, logsConnections, isMandatory: isMandatory && logsSessions },
          backends: mapValues(connectionPools.pools, (pool, name) => settleDedicated(pool, name, reporter)),
        },
      };
    }
    default:
      return level satisfies never;
  }
}

function poolPath(name: string, ...more: string[]): Path {
  return ['connection_pools', name, ...more];
}

function checkPerNamespace({ perNamespace }: Backends<unknown>, expected: boolean, { report }: Reporter): void {
  if (perNamespace !== undefined && perNamespace !== expected) {
    report(['connection_pools', 'per_namespace'], `expected ${expected} at this isolation_level`);
  }
}

function common(
  {
    resourceLimits,
    usage,
  }: { readonly resourceLimits: z.output<typeof RESOURCE_LIMITS>; readonly usage: z.output<typeof USAGE> },
  { report }: Reporter,
): Pick<IsolationSettings, 'limits' | 'usage'> {
  const { perNamespace = {}, namespaces = new Map(), cpuWindowMs = 10_000 } = resourceLimits;
  const limits = { perNamespace, namespaces, cpuWindowMs };
  const isCpuLimited = limitsCpu(limits);
  const { measuresCpu = isCpuLimited, maxNamespaces = 10_000 } = usage;
  if (isCpuLimited && !measuresCpu) {
    report(['usage', 'cpu'], 'expected true, as resource_limits limits CPU time');
  }
  return { limits, usage: { measuresCpu, maxNamespaces } };
}

/** Whoever demands records has to say which. */
function actionsOf(
  { logsActions = false, isMandatory = false }: SectionValue<(typeof AUDIT_KEYS)['none']>,
  logsSessions: boolean | undefined,
  { report }: Reporter,
): IsolationSettings['actions'] {
  if (isMandatory && !logsActions && logsSessions !== true) {
    const keys = logsSessions === undefined ? 'log_actions' : 'log_session_lifecycle or log_actions';
    report(['audit', 'mandatory'], `expected ${keys} to be true as well`);
  }
  return { logsActions, isMandatory: isMandatory && logsActions };
}

/** The keys of settings that can be wrong together. */
const KEYS: Partial<Record<keyof PoolSettings, string>> = {
  maxPerNamespace: 'connections_per_namespace',
  maxNamespaces: 'max_namespaces',
};

function checkCaps(pool: PoolSettingsInput, name: string, { report }: Reporter): void {
  for (const { setting, namespace, text } of findPoolProblems(completePoolSettings(pool))) {
    report(poolPath(name, KEYS[setting] ?? setting, ...(namespace === undefined ? [] : [namespace])), text);
  }
}

function settleDedicated(
  { maxConnections, perSessionLimit = 1, shared }: SectionValue<(typeof BACKEND_KEYS)['session']>,
  name: string,
  { report, expect }: Reporter,
): { readonly maxConnections: number; readonly perSessionLimit: number } {
  if (shared === true) {
    report(poolPath(name, 'shared'), 'expected false, as isolation_level session shares no connection');
  }
  if (perSessionLimit > maxConnections) {
    expect(poolPath(name, 'per_session_limit'), `at most max_connections (${maxConnections})`);
  }
  return { maxConnections, perSessionLimit };
}

function sessionPath(key: string): Path {
  return ['session_management', key];
}

function checkSessions(
  { connectionReuse, maxSessions, ...shares }: z.output<typeof SESSION_MANAGEMENT>,
  { report, expect }: Reporter,
): void {
  if (connectionReuse === true) {
    report(sessionPath('connection_reuse'), 'expected false, as the connections of a session are never used again');
  }
  if ((shares.maxSessionsPerNamespace ?? 0) > maxSessions) {
    expect(sessionPath('max_sessions_per_namespace'), `at most max_sessions (${maxSessions})`);
  }
  if ((shares.maxSessionsPerClient ?? 0) > maxSessions) {
    expect(sessionPath('max_sessions_per_client'), `at most max_sessions (${maxSessions})`);
  }
}

function mapValues<T, U>(map: ReadonlyMap<string, T>, convert: (value: T, name: string) => U): ReadonlyMap<string, U> {
  return new Map([...map].map(([name, value]) => [name, convert(value, name)]));
}
