import { Client } from 'pg';
import { progress } from '../../lib/progress.mjs';

const AT_ONCE = 20;
const OWNER = { namespace: 'acme', clientId: 'bench' };
const APPLICATION = 'isolation-bench-sessions';

/**
 * Opens and ends many sessions with a connection each, and counts what they leave.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureSessions({ plan, SessionManager, PostgresDriver, databaseUrl }) {
  progress(`opening and ending ${plan.sessions} sessions`);
  /** @type {Map<string, number>} */
  const destroyed = new Map();
  const manager = new SessionManager({
    settings: {
      maxSessions: AT_ONCE,
      maxSessionsPerNamespace: AT_ONCE,
      maxSessionsPerClient: AT_ONCE,
      sessionTimeoutMs: 60_000,
      drainTimeoutMs: 10_000,
      connectTimeoutMs: 10_000,
      backends: new Map([['postgres', { maxConnections: AT_ONCE, perSessionLimit: 1 }]]),
      audit: { logsSessions: true, logsConnections: true, isMandatory: true },
    },
    drivers: {
      postgres: new PostgresDriver({ config: { connectionString: databaseUrl, application_name: APPLICATION } }),
    },
    sink: { write: async (events) => countDestroyed(destroyed, events) },
  });
  const startedAt = performance.now();
  await openAndEnd(manager, plan.sessions);
  const seconds = (performance.now() - startedAt) / 1000;
  await manager.drain();
  const left = await countLeft(databaseUrl);
  const once = [...destroyed.values()].filter((count) => count === 1).length;
  return [
    {
      key: 'session_connections_left',
      name: `connections left by ${plan.sessions} sessions, as the server counts`,
      ours: String(left),
      beside: `${once} destroyed once, ${(plan.sessions / seconds).toFixed(0)} sessions/s`,
      value: left + (plan.sessions - once),
      unit: '',
      target: { atMost: 0 },
    },
  ];
}

/** @param {any} manager @param {number} count */
async function openAndEnd(manager, count) {
  let opened = 0;
  const work = async () => {
    while (opened < count) {
      opened++;
      const { id } = await manager.open(OWNER);
      await manager.end(id, OWNER);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** @param {Map<string, number>} destroyed by session @param {readonly { event: string, session_id: string }[]} events */
function countDestroyed(destroyed, events) {
  for (const { event, session_id: id } of events) {
    if (event === 'session_destroyed') {
      destroyed.set(id, (destroyed.get(id) ?? 0) + 1);
    }
  }
}

/** @param {string} databaseUrl */
async function countLeft(databaseUrl) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    'select count(*)::int as left from pg_stat_activity where application_name = $1',
    [APPLICATION],
  );
  await client.end();
  return rows[0].left;
}
