import type { IsolationLevel } from '@palisade/domain';
import type { ActionAuditSettings } from './audit/action-journal.js';
import type { ResourceLimits } from './limits/resource-limits.js';
import type { PoolSettingsInput } from './pools/pool-settings.js';
import type { SessionSettings } from './sessions/session-settings.js';
import type { UsageSettings } from './usage/usage-registry.js';

export interface BackendSettings extends PoolSettingsInput {
  /** Connections of one session. */
  readonly perSessionLimit: number;
}

export interface IsolationSettings {
  /** Who shares a connection, unless the tenant says otherwise. */
  readonly level: IsolationLevel;
  /** By name of the backend. */
  readonly pools: ReadonlyMap<string, BackendSettings>;
  readonly sessions: SessionSettings;
  readonly limits: ResourceLimits;
  readonly usage: UsageSettings;
  readonly actions: ActionAuditSettings;
}
