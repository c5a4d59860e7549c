import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { sessionSettings, type SessionSettingsInput } from '../../test/support/session-settings.js';
import { SessionBudget, type SessionOwner } from './session-budget.js';

const ALICE: SessionOwner = { namespace: parseNamespaceId('acme'), clientId: 'alice' };

describe(SessionBudget.name, () => {
  it.each<[string, SessionSettingsInput, Partial<SessionOwner>]>([
    ['max_sessions', { maxSessions: 1 }, { namespace: parseNamespaceId('bolt'), clientId: 'bob' }],
    ['max_sessions_per_namespace', { maxSessionsPerNamespace: 1 }, { clientId: 'bob' }],
    ['max_sessions_per_client', { maxSessionsPerClient: 1 }, { namespace: parseNamespaceId('bolt') }],
  ])('rejects one session more than %s', (limit, input, other) => {
    const settings = sessionSettings({ maxSessionsPerNamespace: 10, maxSessionsPerClient: 10, ...input });
    const budget = new SessionBudget();
    budget.reserve(ALICE, settings);
    expect(() => budget.reserve({ ...ALICE, ...other }, settings)).toThrow(
      expect.objectContaining({ code: 'SESSION_LIMIT', limit, used: 1, max: 1 }),
    );
    expect(budget.sessions).toBe(1);
  });

  it('gives back what was taken', () => {
    const budget = new SessionBudget();
    budget.reserve(ALICE, sessionSettings({ maxSessions: 1 }));
    budget.releaseSession(ALICE);
    expect(budget.sessions).toBe(0);
    expect(() => budget.reserve(ALICE, sessionSettings({ maxSessions: 1 }))).not.toThrow();
  });
});
