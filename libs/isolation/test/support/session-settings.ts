import type { Clock } from '@palisade/async';
import type { ConnectionDriver } from '../../src/pools/connection-driver.js';
import { NamespacePools } from '../../src/pools/namespace-pools.js';
import type { SessionBackend, SessionSettings } from '../../src/sessions/session-settings.js';

export type SessionSettingsInput = Partial<Omit<SessionSettings, 'audit'>> & {
  readonly audit?: Partial<SessionSettings['audit']>;
};

/** Settings with generous limits and everything logged, unless told otherwise. */
export function sessionSettings({ audit, ...settings }: SessionSettingsInput = {}): SessionSettings {
  return {
    maxSessions: 10,
    maxSessionsPerNamespace: settings.maxSessions ?? 10,
    maxSessionsPerClient: settings.maxSessions ?? 10,
    sessionTimeoutMs: 300_000,
    drainTimeoutMs: 30_000,
    ...settings,
    audit: { logsSessions: true, logsConnections: true, isMandatory: true, ...audit },
  };
}

export interface SessionBackendInput {
  readonly name: string;
  readonly driver: ConnectionDriver<unknown>;
  readonly clock?: Clock;
  readonly maxTotal?: number;
}

/** A backend of which one session may have ten connections, and all together a hundred unless told otherwise. */
export function sessionBackend({ name, driver, clock, maxTotal = 100 }: SessionBackendInput): SessionBackend {
  const pools = new NamespacePools({ name, driver, maxTotal, acquireTimeoutMs: 1000, ...(clock && { clock }) });
  return { name, driver, pools, perSessionLimit: () => 10 };
}
