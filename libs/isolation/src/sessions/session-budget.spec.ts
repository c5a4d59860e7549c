import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { sessionSettings, type SessionSettingsInput } from '../../test/support/session-settings.js';
import { SessionBudget, type SessionOwner } from './session-budget.js';

const ALICE: SessionOwner = { namespace: parseNamespaceId('acme'), clientId: 'alice' };

function createBudget(settings: SessionSettingsInput = {}): SessionBudget {
  return new SessionBudget(
    sessionSettings({ backends: { fake: { maxConnections: 2, perSessionLimit: 2 } }, ...settings }),
  );
}

describe(SessionBudget.name, () => {
  it.each<[string, SessionSettingsInput, Partial<SessionOwner>]>([
    ['max_sessions', { maxSessions: 1 }, { namespace: parseNamespaceId('bolt'), clientId: 'bob' }],
    ['max_sessions_per_namespace', { maxSessionsPerNamespace: 1 }, { clientId: 'bob' }],
    ['max_sessions_per_client', { maxSessionsPerClient: 1 }, { namespace: parseNamespaceId('bolt') }],
  ])('refuses one session more than %s', (limit, settings, other) => {
    const budget = createBudget({ maxSessionsPerNamespace: 10, maxSessionsPerClient: 10, ...settings });
    budget.reserve(ALICE, new Map());
    expect(() => budget.reserve({ ...ALICE, ...other }, new Map())).toThrow(
      expect.objectContaining({ code: 'SESSION_LIMIT', limit, used: 1, max: 1 }),
    );
  });

  it('refuses more connections than one session may have', () => {
    expect(() => createBudget().reserve(ALICE, new Map([['fake', 3]]))).toThrow('fake.per_session_limit is 2');
  });

  it('refuses more connections than the backend may have', () => {
    const budget = createBudget();
    budget.reserve(ALICE, new Map([['fake', 1]]));
    expect(() => budget.reserve(ALICE, new Map([['fake', 2]]))).toThrow(
      'fake.max_connections is 2, of which 1 are taken and 2 more wanted',
    );
  });

  it('takes nothing when it refuses', () => {
    const budget = createBudget();
    expect(() => budget.reserve(ALICE, new Map([['fake', 3]]))).toThrow('no session can be created');
    expect([budget.sessions, budget.connectionsTo('fake')]).toEqual([0, 0]);
  });

  it('gives back what was taken', () => {
    const budget = createBudget({ maxSessions: 1 });
    budget.reserve(ALICE, new Map([['fake', 1]]));
    budget.releaseConnection('fake');
    budget.releaseSession(ALICE);
    expect([budget.sessions, budget.connectionsTo('fake')]).toEqual([0, 0]);
  });
});
