import type { ActionAuditSettings } from './audit/action-journal.js';
import type { ResourceLimits } from './limits/resource-limits.js';
import type { PoolSettingsInput } from './pools/pool-settings.js';
import type { SessionSettings } from './sessions/session-settings.js';
import type { UsageSettings } from './usage/usage-registry.js';

interface CommonSettings {
  readonly limits: ResourceLimits;
  readonly usage: UsageSettings;
  readonly actions: ActionAuditSettings;
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
