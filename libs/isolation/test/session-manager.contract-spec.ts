import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { PostgresDriver } from '../src/backends/postgres/postgres-driver.js';
import type { SessionEvent } from '../src/sessions/session-event.js';
import { SessionManager } from '../src/sessions/session-manager.js';
import { processIdOf, ServerObserver } from './support/postgres-server.js';
import { sessionBackend, sessionSettings } from './support/session-settings.js';

const SESSIONS = 300;
const AT_ONCE = 20;
const OWNER = { namespace: parseNamespaceId('acme'), clientId: 'importer' };

let server: ServerObserver;

beforeAll(async () => {
  server = await ServerObserver.connect();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

function createManager() {
  const events: SessionEvent[] = [];
  const sink = {
    async write(written: readonly SessionEvent[]) {
      events.push(...written);
    },
  };
  const settings = sessionSettings({ maxSessions: AT_ONCE });
  const driver = new PostgresDriver({ config: server.config });
  const backends = [sessionBackend({ name: 'postgres', driver, maxTotal: AT_ONCE })];
  return { manager: new SessionManager({ settings, backends, sink }), events };
}

describe(`${SessionManager.name} on PostgreSQL`, () => {
  it('leaves no connection behind, and destroys every session once', async () => {
    const { manager, events } = createManager();
    const work = async () => {
      for (let count = 0; count < SESSIONS / AT_ONCE; count++) {
        const { id } = await manager.open(OWNER);
        await manager.end(id, OWNER);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await manager.drain(1000);
    await server.waitForNone();
    const destroyed = events.filter(({ event }) => event === 'session_destroyed').map(({ session_id: id }) => id);
    expect(await server.countConnections()).toBe(0);
    expect([destroyed.length, new Set(destroyed).size]).toEqual([SESSIONS, SESSIONS]);
  });

  it('keeps a transaction from one request of a session to the next', async () => {
    const { manager } = createManager();
    const { id } = await manager.open(OWNER);
    const query = (text: string) =>
      manager.run(id, OWNER, (session) =>
        session.connection('postgres', PostgresDriver).run((client) => client.query(text)),
      );
    await query('begin');
    const { rows } = await query('select now() = statement_timestamp() as is_first');
    expect(rows).toEqual([{ is_first: false }]);
    await manager.drain(1000);
  });

  it('ends a session whose connection the server has cut', async () => {
    const { manager, events } = createManager();
    const { id } = await manager.open(OWNER);
    const processId = await manager.run(id, OWNER, (session) =>
      session.connection('postgres', PostgresDriver).run(processIdOf),
    );
    await server.terminate(processId);
    while (manager.snapshot().sessions > 0) {
      await server.countConnections(); // some time passes
    }
    await expect(manager.run(id, OWNER, async () => {})).rejects.toThrow('does not exist');
    await manager.drain(1000);
    expect(events.at(-1)).toMatchObject({ event: 'session_destroyed', reason: 'connection_lost' });
  });
});
