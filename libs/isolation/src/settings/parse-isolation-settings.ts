import { ISOLATION_LEVELS, isObject, type IsolationLevel } from '@palisade/domain';
import { z } from 'zod';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import type { BackendSettings, IsolationSettings } from '../isolation-settings.js';
import { limitsCpu } from '../limits/resource-limits.js';
import { completePoolSettings } from '../pools/pool-options.js';
import { findPoolProblems } from '../pools/pool-problems.js';
import type { PoolSettings } from '../pools/pool-settings.js';
import { defaultSessionsPerClient } from '../sessions/session-settings.js';
import { expectedText, formatProblem, readValue, valueAt, type Path, type Problem } from './problems.js';
import { optional, present, required, section, valueNotes, type SectionValue } from './schema.js';
import { AUDIT_KEYS, BACKEND_KEYS, CONNECTIONS, RESOURCE_LIMITS, SESSION_MANAGEMENT, USAGE } from './sections.js';
import { choice, FLAG } from './values.js';

/** Longer names help nobody. */
const BACKEND_NAME = /^[a-z][a-z0-9-]{0,30}$/;

const DEFAULT_MAX_SESSIONS = 1000;

const SETTINGS = section({
  isolation_level: required(choice(ISOLATION_LEVELS), 'What shares connections.'),
  connection_pools: required(backends(section(BACKEND_KEYS)), 'Connections of one proxy to backends.'),
  resource_limits: present(RESOURCE_LIMITS, 'What one proxy lets be used.'),
  session_management: present(SESSION_MANAGEMENT, 'Sessions of one proxy.'),
  usage: present(USAGE, 'What is measured.'),
  audit: present(section(AUDIT_KEYS), 'What is recorded.'),
});

type Backend = SectionValue<typeof BACKEND_KEYS>;

interface Backends {
  readonly perNamespace?: boolean;
  readonly pools: ReadonlyMap<string, Backend>;
}

/** `connection_pools`: backends of any name, beside `per_namespace`. */
function backends(backend: z.ZodType<Backend>): z.ZodType<Backends> {
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
  return z.codec(written, z.custom<Backends>(), {
    decode: ({ per_namespace: perNamespace, ...pools }) => ({
      perNamespace: perNamespace as boolean | undefined,
      pools: new Map(Object.entries(pools as Record<string, Backend>)),
    }),
    encode: ({ perNamespace, pools }) => ({ ...Object.fromEntries(pools), per_namespace: perNamespace }) as never,
  });
}

/**
 * Checks settings and makes them typed. Keys are snake_case (`isolation_level`, `connection_pools`, `resource_limits`,
 * `session_management`, `usage`, `audit`); any other key is a problem.
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
  const { value, problems } = readValue(SETTINGS, input);
  if (value === undefined) {
    return { problems };
  }
  const found: Problem[] = [];
  const report = (path: Path, text: string): void => void found.push({ path, text });
  const expect = (path: Path, expected: string): void => report(path, expectedText(expected, valueAt(input, path)));
  const settings = settle(value, { report, expect });
  return found.length === 0 ? { settings, problems: [] } : { problems: found };
}

interface Reporter {
  readonly report: (path: Path, text: string) => void;
  /** Says what was found as well. */
  readonly expect: (path: Path, expected: string) => void;
}

function settle(settings: z.output<typeof SETTINGS>, reporter: Reporter): IsolationSettings {
  const { isolationLevel: level, connectionPools, sessionManagement, audit } = settings;
  checkLevel(level, connectionPools, reporter);
  checkSessions(sessionManagement, reporter);
  const { logsActions = false, logsSessions = false, logsConnections = false, isMandatory = false } = audit;
  if (isMandatory && !logsActions && !logsSessions) {
    reporter.report(['audit', 'mandatory'], 'expected log_session_lifecycle or log_actions to be true as well');
  }
  const { maxSessions = DEFAULT_MAX_SESSIONS, ...sessions } = sessionManagement;
  return {
    level,
    ...common(settings, reporter),
    actions: { logsActions, isMandatory: isMandatory && logsActions },
    pools: mapValues(connectionPools.pools, (pool, name) => settleBackend(pool, name, reporter)),
    sessions: {
      maxSessions,
      maxSessionsPerNamespace: sessions.maxSessionsPerNamespace ?? maxSessions,
      maxSessionsPerClient: sessions.maxSessionsPerClient ?? defaultSessionsPerClient(maxSessions),
      sessionTimeoutMs: sessions.sessionTimeoutMs ?? 300_000,
      drainTimeoutMs: sessions.drainTimeoutMs ?? 30_000,
      audit: { logsSessions, logsConnections, isMandatory: isMandatory && logsSessions },
    },
  };
}

function poolPath(name: string, ...more: string[]): Path {
  return ['connection_pools', name, ...more];
}

/** What the settings state of the level is so. */
function checkLevel(level: IsolationLevel, { perNamespace, pools }: Backends, { report }: Reporter): void {
  if (perNamespace !== undefined && perNamespace !== (level === 'namespace')) {
    report(['connection_pools', 'per_namespace'], `expected ${level === 'namespace'} at this isolation_level`);
  }
  for (const [name, { shared }] of pools) {
    if (shared !== undefined && shared !== (level === 'none')) {
      report(poolPath(name, 'shared'), `expected ${level === 'none'} at this isolation_level`);
    }
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

/** The keys of settings that can be wrong together. */
const KEYS: Partial<Record<keyof PoolSettings, string>> = {
  maxPerNamespace: 'connections_per_namespace',
  maxNamespaces: 'max_namespaces',
};

function settleBackend(written: Backend, name: string, { report, expect }: Reporter): BackendSettings {
  const { maxTotalConnections, maxConnections, connectionsPerNamespace, shared: _, ...others } = written;
  const { perSessionLimit = 1 } = others;
  const maxTotal = maxTotalConnections ?? maxConnections;
  if (maxTotal === undefined) {
    expect(poolPath(name, 'max_total_connections'), valueNotes(CONNECTIONS)?.expected ?? '');
    return { maxTotal: Infinity, perSessionLimit };
  }
  if (maxConnections !== undefined && maxConnections !== maxTotal) {
    expect(poolPath(name, 'max_connections'), `the same as max_total_connections (${maxTotal})`);
  }
  if (perSessionLimit > maxTotal) {
    expect(poolPath(name, 'per_session_limit'), `at most the cap (${maxTotal})`);
  }
  const pool = { ...others, maxTotal, maxPerNamespace: connectionsPerNamespace, perSessionLimit };
  for (const { setting, namespace, text } of findPoolProblems(completePoolSettings(pool))) {
    report(poolPath(name, KEYS[setting] ?? setting, ...(namespace === undefined ? [] : [namespace])), text);
  }
  return pool;
}

function sessionPath(key: string): Path {
  return ['session_management', key];
}

function checkSessions(
  { connectionReuse, maxSessions = DEFAULT_MAX_SESSIONS, ...shares }: z.output<typeof SESSION_MANAGEMENT>,
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
