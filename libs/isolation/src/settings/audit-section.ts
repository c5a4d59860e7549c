import type { IsolationLevel } from '@palisade/domain';
import type { ActionAuditSettings } from '../audit/action-journal.js';
import type { SessionAuditSettings } from '../sessions/session-settings.js';
import type { SettingsReader } from './settings-reader.js';

export interface AuditSettings {
  readonly actions: ActionAuditSettings;
  readonly sessions: SessionAuditSettings;
}

/** `audit`. There are events of sessions at the level `session` only. */
export function readAudit(section: SettingsReader | undefined, level: IsolationLevel): AuditSettings {
  const hasSessions = level === 'session';
  const logsActions = section?.boolean('log_actions') ?? false;
  const logsSessions = (hasSessions && section?.boolean('log_session_lifecycle')) || false;
  const logsConnections = (hasSessions && section?.boolean('log_connection_lifecycle')) || false;
  const isMandatory = section?.boolean('mandatory') ?? false;
  section?.finish();
  if (isMandatory && !logsSessions && !logsActions) {
    const keys = hasSessions ? 'log_session_lifecycle or log_actions' : 'log_actions';
    section?.report('mandatory', `expected ${keys} to be true as well`);
  }
  return {
    actions: { logsActions, isMandatory: isMandatory && logsActions },
    sessions: { logsSessions, logsConnections, isMandatory: isMandatory && logsSessions },
  };
}
