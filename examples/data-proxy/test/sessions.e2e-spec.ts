import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../libs/isolation/test/support/wait-until.js';
import { inBatches } from './support/in-batches.js';
import { POSTGRES_ONLY, ProxyWorld } from './support/proxy-world.js';
import type { Answer, Tenant } from './support/tenant.js';

const MAX_SESSIONS = 4;

const PER_SESSION = {
  isolation_level: 'session',
  connection_pools: { postgres: { max_connections: 20 } },
  session_management: { max_sessions: MAX_SESSIONS, max_sessions_per_client: MAX_SESSIONS, session_timeout: '300s' },
  audit: { log_session_lifecycle: true, log_connection_lifecycle: true, log_actions: true },
};

let world: ProxyWorld;
let acme: Tenant;
let opened: { readonly id: string; readonly tenant: Tenant }[] = [];

async function start(management: object = {}): Promise<void> {
  const session_management = { ...PER_SESSION.session_management, ...management };
  world = await ProxyWorld.start({ settings: { ...PER_SESSION, session_management }, environment: POSTGRES_ONLY });
  ({ acme } = world);
}

async function open(tenant: Tenant = acme): Promise<string> {
  const { body } = await tenant.send('POST', '/v1/sessions');
  const { id } = body as { id: string };
  opened.push({ id, tenant });
  return id;
}

const end = (id: string, tenant: Tenant = acme): Promise<Answer> => tenant.send('DELETE', `/v1/sessions/${id}`);

interface AuditLine {
  readonly event?: string;
  readonly session_id?: string;
  readonly reason?: string;
}

const auditLines = (): AuditLine[] =>
  readFileSync(world.auditFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditLine);

/** The events of a session, in order. */
const eventsOf = (id: string): unknown[] =>
  auditLines().flatMap(({ event, session_id: session, reason }) =>
    event !== undefined && session === id ? [reason === undefined ? event : `${event} ${reason}`] : [],
  );

const UNKNOWN = { status: 404, body: { code: 'SESSION_NOT_FOUND' } };

async function stop(): Promise<void> {
  opened = [];
  await world[Symbol.asyncDispose]();
}

describe('a session and the audit trail', () => {
  beforeEach(() => start());
  afterEach(stop);

  it('has a connection of its own from its beginning to its end', async () => {
    const { status, body } = await acme.send('POST', '/v1/sessions');
    const { id } = body as { id: string };
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        namespace: acme.namespace,
        connections: [expect.objectContaining({ backend: 'postgres' })],
      }),
    ]);
    expect(await world.database.countConnections()).toBe(1);
    expect((await end(id)).status).toBe(204);
    await waitUntil(async () => (await world.database.countConnections()) === 0, 'the connection is closed');
    // Events that are not mandatory are written a moment later, and all of them when the app ends.
    await world.close();
    expect(eventsOf(id)).toEqual([
      'session_created',
      'connection_established',
      'connection_closed',
      'session_destroyed ended',
    ]);
  });

  it('stands in the records of what is done in it, with the tenant', async () => {
    const id = await open();
    await acme.in(id).query('notes.list', { limit: 1 });
    await world.close();
    const actions = auditLines().filter((line) => 'action' in line);
    expect(actions).toEqual([
      expect.objectContaining({ action: 'postgres.query', tenant_id: 'tenant-1', session_id: id, rows_accessed: 0 }),
    ]);
  });

  it('ends with the app', async () => {
    const id = await open();
    await world.close();
    expect(await world.database.countConnections()).toBe(0);
    expect(eventsOf(id).at(-1)).toBe('session_destroyed shutdown');
  });
});

describe('a session', () => {
  beforeAll(() => start());
  afterAll(stop);

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ id, tenant }) => end(id, tenant)));
    await waitUntil(async () => (await world.database.countConnections()) === 0, 'all sessions have ended');
    await world.database.admin.query('truncate notes');
  });

  it('keeps a transaction open from request to request', async () => {
    const [session, other] = [acme.in(await open()), acme.in(await open())];
    const list = async (tenant: Tenant) => (await tenant.query('notes.list', { limit: 10 })).body;
    await session.send('POST', '/v1/transaction');
    await session.query('notes.insert', { title: 'draft', body: '' });
    const [within, without] = [await list(session), await list(other)];
    expect((await session.send('POST', '/v1/transaction/commit')).status).toBe(204);
    expect([within, without, await list(other)]).toEqual([
      expect.objectContaining({ row_count: 1 }),
      expect.objectContaining({ row_count: 0 }),
      expect.objectContaining({ row_count: 1 }),
    ]);
  });

  it('rolls a transaction back on request', async () => {
    const session = acme.in(await open());
    await session.send('POST', '/v1/transaction');
    await session.query('notes.insert', { title: 'draft', body: '' });
    expect((await session.send('DELETE', '/v1/transaction')).status).toBe(204);
    expect(await world.database.countNotes()).toEqual({});
  });

  it('rolls an open transaction back when it ends', async () => {
    const id = await open();
    await acme.in(id).send('POST', '/v1/transaction');
    await acme.in(id).query('notes.insert', { title: 'draft', body: '' });
    await end(id);
    expect(await world.database.countNotes()).toEqual({});
  });

  it('rejects a second transaction, and a commit without one', async () => {
    const session = acme.in(await open());
    const early = await session.send('POST', '/v1/transaction/commit');
    await session.send('POST', '/v1/transaction');
    const twice = await session.send('POST', '/v1/transaction');
    expect([early.status, twice.status]).toEqual([409, 409]);
  });

  it('cannot be opened beyond the maximum until another one has ended', async () => {
    const ids = [];
    while (ids.length < MAX_SESSIONS) {
      ids.push(await open());
    }
    const { status, headers, body } = await acme.send('POST', '/v1/sessions');
    expect([status, headers['retry-after'], body]).toEqual([
      503,
      '1',
      expect.objectContaining({ code: 'SESSION_LIMIT' }),
    ]);
    await end(ids[0] ?? '');
    expect(await open()).toEqual(expect.any(String));
  });

  it.each<[string, () => Tenant]>([
    ['another client of the namespace', () => world.colleague],
    ['another namespace', () => world.acme2],
  ])('is unknown to %s', async (_, otherOf) => {
    const id = await open();
    await acme.in(id).send('POST', '/v1/transaction');
    await acme.in(id).query('notes.insert', { title: 'draft', body: '' });
    const other = otherOf();
    expect(await other.in(id).query('notes.list', { limit: 10 })).toMatchObject(UNKNOWN);
    expect(await other.in(id).send('POST', '/v1/transaction/commit')).toMatchObject(UNKNOWN);
    expect(await end(id, other)).toMatchObject(UNKNOWN);
    expect((await acme.in(id).send('POST', '/v1/transaction/commit')).status).toBe(204);
  });

  it('is needed for work', async () => {
    expect(await acme.query('notes.list', { limit: 1 })).toMatchObject({
      status: 400,
      body: { code: 'SESSION_REQUIRED' },
    });
  });
});

describe('an idle session', () => {
  afterEach(stop);

  it('ends after its timeout', async () => {
    await start({ session_timeout: '200ms' });
    const id = await open();
    await waitUntil(() => eventsOf(id).includes('session_destroyed idle_timeout'), 'the session ends');
    expect(await acme.in(id).query('notes.list', { limit: 1 })).toMatchObject(UNKNOWN);
    await waitUntil(async () => (await world.database.countConnections()) === 0, 'the connection is closed');
  });
});

describe('4,000 sessions', () => {
  const SESSIONS = 4000;
  const PARALLEL = 10;

  afterEach(stop);

  it('leave no connection on the server, and are destroyed once each', async () => {
    await start({ max_sessions: PARALLEL, max_sessions_per_client: PARALLEL });
    const ids: string[] = [];
    await inBatches(Array.from({ length: SESSIONS }), PARALLEL, async () => {
      const id = await open();
      ids.push(id);
      await end(id);
    });
    await waitUntil(async () => (await world.database.countConnections()) === 0, 'no connection is left');
    await world.close();
    const destroyed = auditLines().flatMap(({ event, session_id: id }) => (event === 'session_destroyed' ? [id] : []));
    expect([new Set(ids).size, destroyed.toSorted()]).toEqual([SESSIONS, ids.toSorted()]);
  }, 240_000);
});
