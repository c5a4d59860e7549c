import type { DedicatedBackendSettings, SessionSettings } from '../sessions/session-settings.js';
import type { SettingsReader } from './settings-reader.js';

const DEFAULT_SESSION_TIMEOUT_MS = 300_000;
const DEFAULT_DRAIN_TIMEOUT_MS = 30_000;
const DEFAULT_CONNECT_TIMEOUT_MS = 5_000;

/** `connection_pools.<backend>` at level `session`. */
export function readDedicatedBackend(section: SettingsReader): DedicatedBackendSettings | undefined {
  section.require('max_connections');
  const maxConnections = section.integer('max_connections', { min: 1 });
  const perSessionLimit = section.integer('per_session_limit', { min: 1 }) ?? 1;
  if (section.boolean('shared') === true) {
    section.report('shared', 'expected false, as isolation_level session shares no connection');
  }
  if (maxConnections !== undefined && perSessionLimit > maxConnections) {
    section.report(
      'per_session_limit',
      `expected at most max_connections (${maxConnections}), found ${perSessionLimit}`,
    );
  }
  section.finish();
  return maxConnections === undefined ? undefined : { maxConnections, perSessionLimit };
}

/** `session_management`. */
export function readSessionManagement(
  section: SettingsReader,
): Omit<SessionSettings, 'backends' | 'audit'> | undefined {
  section.require('max_sessions');
  const maxSessions = section.integer('max_sessions', { min: 1 });
  if (section.boolean('connection_reuse') === true) {
    section.report('connection_reuse', 'expected false, as the connections of a session are never used again');
  }
  const share = { min: 1, ...(maxSessions === undefined ? {} : { max: maxSessions }) };
  const settings = {
    maxSessions: maxSessions ?? 1,
    maxSessionsPerNamespace: section.integer('max_sessions_per_namespace', share) ?? maxSessions ?? 1,
    maxSessionsPerClient: section.integer('max_sessions_per_client', share) ?? maxSessions ?? 1,
    sessionTimeoutMs: section.duration('session_timeout') ?? DEFAULT_SESSION_TIMEOUT_MS,
    drainTimeoutMs: section.duration('drain_timeout') ?? DEFAULT_DRAIN_TIMEOUT_MS,
    connectTimeoutMs: section.duration('connect_timeout') ?? DEFAULT_CONNECT_TIMEOUT_MS,
  };
  section.finish();
  return maxSessions === undefined ? undefined : settings;
}
