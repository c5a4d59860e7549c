import type { DedicatedBackendSettings, DedicatedSettings } from '../../src/sessions/session-settings.js';

export type SessionSettingsInput = Partial<Omit<DedicatedSettings, 'backends' | 'audit'>> & {
  readonly backends?: Readonly<Record<string, Partial<DedicatedBackendSettings>>>;
  readonly audit?: Partial<DedicatedSettings['audit']>;
};

/** Settings with one backend, generous limits and everything logged, unless told otherwise. */
export function sessionSettings({ backends = {}, audit, ...settings }: SessionSettingsInput = {}): DedicatedSettings {
  return {
    maxSessions: 10,
    maxSessionsPerNamespace: settings.maxSessions ?? 10,
    maxSessionsPerClient: settings.maxSessions ?? 10,
    sessionTimeoutMs: 300_000,
    drainTimeoutMs: 30_000,
    connectTimeoutMs: 5_000,
    ...settings,
    backends: new Map(
      Object.entries(backends).map(([name, limits]) => [name, { maxConnections: 100, perSessionLimit: 10, ...limits }]),
    ),
    audit: { logsSessions: true, logsConnections: true, isMandatory: true, ...audit },
  };
}
