import type { PoolSettingsInput } from '../pools/pool-settings.js';
import type { SessionSettings } from '../sessions/session-settings.js';

interface CommonSettings {
  /** Requests per second of one namespace; absent for no limit. */
  readonly maxRps?: number;
}

/** `none` and `namespace`: pools, by name of the backend. */
export interface PooledSettings extends CommonSettings {
  readonly level: 'none' | 'namespace';
  readonly pools: ReadonlyMap<string, PoolSettingsInput>;
}

/** `session`: connections that belong to one session. */
export interface DedicatedSettings extends CommonSettings {
  readonly level: 'session';
  readonly sessions: SessionSettings;
}

export type IsolationSettings = PooledSettings | DedicatedSettings;
