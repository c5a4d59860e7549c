import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { FakeDriver } from '../../test/support/fake-driver.js';
import { untilAborted } from '@palisade/async';
import { sessionSettings } from '../../test/support/session-settings.js';
import { ALICE, SessionWorld } from '../../test/support/session-world.js';
import { PostgresDriver } from '../backends/postgres/postgres-driver.js';
import { parseSessionId } from './session-id.js';
import { SessionManager } from './session-manager.js';

const BOB = { ...ALICE, clientId: 'bob' };
const ALICE_ELSEWHERE = { ...ALICE, namespace: parseNamespaceId('bolt') };
const REFUSED = new Error('connection refused');

describe(SessionManager.name, () => {
  it('gives a session a connection of its own to each backend', async () => {
    const world = new SessionWorld();
    const [first, second] = [await world.open(), await world.open()];
    const connections = [...first.connections, ...second.connections].map(({ id }) => id);
    expect([new Set(connections).size, world.driver.total, world.other.total]).toEqual([4, 2, 2]);
  });

  it('names sessions by UUIDs of its own', async () => {
    const { id } = await new SessionWorld().open();
    expect(parseSessionId(id)).toBe(id);
  });

  it('opens as many connections as are asked for, with the credentials of the session', async () => {
    const world = new SessionWorld();
    await world.open(ALICE, { connections: { fake: 2 }, credentials: { fake: { user: 'alice' } } });
    expect([...world.driver.connections].map(({ credentials }) => credentials)).toEqual([
      { user: 'alice' },
      { user: 'alice' },
    ]);
  });

  it.each([
    ['a backend that is not configured', { kafka: 1 }],
    ['no connection', { fake: 0 }],
    ['less than no connection', { fake: -1 }],
  ])('refuses to open %s', async (_, connections) => {
    await expect(new SessionWorld().open(ALICE, { connections })).rejects.toMatchObject({ code: 'UNKNOWN_BACKEND' });
  });

  it('runs the requests of a session on its connections', async () => {
    const world = new SessionWorld();
    const { id } = await world.open();
    const number = await world.manager.run(id, ALICE, (session) =>
      session.connection('fake', FakeDriver).run(async (connection) => connection.number),
    );
    expect(number).toBe(1);
  });

  it('gives no connection of another kind than the backend has', async () => {
    const world = new SessionWorld();
    const session = await world.open();
    expect(() => session.connection('fake', PostgresDriver)).toThrow('expected a driver of class PostgresDriver');
  });

  it('gives no connection that the session does not have', async () => {
    const session = await new SessionWorld().open();
    expect(() => session.connection('fake', FakeDriver, 1)).toThrow('more than 1 connections');
  });

  it.each([
    ['another client', BOB],
    ['another namespace', ALICE_ELSEWHERE],
  ])('does not know a session that is presented by %s', async (_, owner) => {
    const world = new SessionWorld();
    const { id } = await world.open();
    await expect(world.manager.run(id, owner, async () => {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await expect(world.manager.end(id, owner)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect([world.manager.snapshot().sessions, world.manager.snapshot().foreignAttempts]).toEqual([1, 2]);
  });

  it('closes the connections of a session that ends, and knows it no more', async () => {
    const world = new SessionWorld();
    const { id } = await world.open();
    await world.after(world.manager.end(id, ALICE));
    expect([world.driver.total, world.other.total, world.manager.snapshot().sessions]).toEqual([0, 0, 0]);
    await expect(world.manager.run(id, ALICE, async () => {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  it('lets requests under way finish before a session ends, and takes no new ones', async () => {
    const world = new SessionWorld();
    const { id } = await world.open();
    const request = Promise.withResolvers<void>();
    const running = world.manager.run(id, ALICE, () => request.promise);
    const ending = world.manager.end(id, ALICE);
    await world.clock.advance(1000);
    const during = world.driver.total;
    await expect(world.manager.run(id, ALICE, async () => {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    request.resolve();
    await world.after(Promise.all([running, ending]));
    expect([during, world.driver.total]).toEqual([1, 0]);
  });

  it('ends a session whose requests do not finish in time', async () => {
    const world = new SessionWorld({ drainTimeoutMs: 1000 });
    const { id } = await world.open();
    void world.manager.run(id, ALICE, () => new Promise(() => {}));
    await world.after(world.manager.end(id, ALICE), 1010);
    expect(world.driver.total).toBe(0);
  });

  it('ends a session that has had no request for the timeout', async () => {
    const world = new SessionWorld({ sessionTimeoutMs: 1000 });
    await world.open();
    await world.clock.advance(1001);
    expect([world.driver.total, world.lastEvent]).toEqual([
      0,
      expect.objectContaining({ event: 'session_destroyed', reason: 'idle_timeout' }),
    ]);
  });

  it('does not count the time while a request is under way as idle', async () => {
    const world = new SessionWorld({ sessionTimeoutMs: 1000 });
    const { id } = await world.open();
    const request = Promise.withResolvers<void>();
    const running = world.manager.run(id, ALICE, () => request.promise);
    await world.clock.advance(5000);
    request.resolve();
    await running;
    await world.clock.advance(999);
    const within = world.manager.snapshot().sessions;
    await world.clock.advance(10);
    expect([within, world.manager.snapshot().sessions]).toEqual([1, 0]);
  });

  it('ends a session that loses a connection, without waiting for its requests', async () => {
    const world = new SessionWorld();
    const { id } = await world.open();
    void world.manager.run(id, ALICE, () => new Promise(() => {}));
    const [connection] = world.driver.connections;
    connection?.lose();
    await world.clock.advance(10);
    expect([world.other.total, world.lastEvent]).toEqual([0, expect.objectContaining({ reason: 'connection_lost' })]);
  });

  it('closes what was opened when another connection cannot be made', async () => {
    const world = new SessionWorld();
    world.other.failure = () => REFUSED;
    await expect(world.open()).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE', cause: REFUSED });
    await world.clock.advance(10);
    expect([world.driver.total, world.manager.snapshot()]).toEqual([0, expect.objectContaining({ sessions: 0 })]);
  });

  it('rejects at once while a backend is known to be down', async () => {
    const world = new SessionWorld();
    world.driver.failure = () => REFUSED;
    await world.open().catch(() => {});
    await world.clock.advance(200);
    await world.open().catch(() => {});
    const attempts = world.driver.attempts;
    await expect(world.open()).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    expect(world.driver.attempts).toBe(attempts);
  });

  it('opens nothing more when its caller aborts, and closes what was opened', async () => {
    const world = new SessionWorld();
    const controller = new AbortController();
    const opening = world.manager.open(ALICE, { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(world.after(opening)).rejects.toThrow('gone');
    expect([world.driver.total, world.lastEvent]).toEqual([0, expect.objectContaining({ reason: 'aborted' })]);
  });

  it('rejects one session more than there may be, and takes one when another has ended', async () => {
    const world = new SessionWorld({ maxSessions: 1 });
    const { id } = await world.open();
    await expect(world.open()).rejects.toMatchObject({
      code: 'SESSION_LIMIT',
      message: 'no session can be created: max_sessions is 1, of which 1 are taken and 1 more wanted',
    });
    await world.after(world.manager.end(id, ALICE));
    await expect(world.open()).resolves.toMatchObject({ state: 'active' });
  });

  it('gives the budget back when a session could not be set up', async () => {
    const world = new SessionWorld({ maxSessions: 1, maxTotal: 1 });
    world.other.failure = () => REFUSED;
    await world.open().catch(() => {});
    world.other.failure = undefined;
    await world.clock.advance(1000);
    await expect(world.open()).resolves.toMatchObject({ state: 'active' });
  });

  it('waits for a connection of the cap, until the socket of another has closed', async () => {
    const world = new SessionWorld({ maxTotal: 1 });
    const { id } = await world.open();
    const opening = world.manager.open(ALICE);
    await world.clock.advance(10);
    expect(world.driver.peak).toBe(1);
    void world.manager.end(id, ALICE);
    await expect(world.after(opening)).resolves.toMatchObject({ state: 'active' });
    expect(world.driver.peak).toBe(1);
  });

  it('is rejected when it does not get all of its connections in time, and gives back those that it has', async () => {
    const world = new SessionWorld({ maxTotal: 1 });
    await world.open();
    await expect(world.after(world.manager.open(ALICE), 1100)).rejects.toMatchObject({ code: 'POOL_TIMEOUT' });
    expect([world.driver.total, world.other.total]).toEqual([1, 1]);
  });

  it('rejects more connections than one session may have', async () => {
    await expect(new SessionWorld().open(ALICE, { connections: { fake: 11 } })).rejects.toMatchObject({
      limit: 'fake.per_session_limit',
      max: 10,
    });
  });

  it('ends the sessions that somebody chooses, now, and those that are being set up', async () => {
    const world = new SessionWorld();
    const [mine, other] = [await world.open(), await world.open(BOB)];
    const request = world.manager.run(mine.id, ALICE, ({ signal }) => untilAborted(new Promise(() => {}), signal));
    request.catch(() => {}); // seen below
    const opening = world.manager.open(ALICE);
    opening.catch(() => {}); // seen below
    const gone = new Error('access was lost');
    world.manager.endWhere(({ clientId }) => (clientId === 'alice' ? gone : undefined), 'access_lost');
    await world.clock.advance(10);
    await expect(request).rejects.toMatchObject({ code: 'SESSION_ENDED', reason: 'access_lost' });
    await expect(opening).rejects.toBe(gone);
    expect([mine.state, other.state, world.driver.total]).toEqual(['destroyed', 'active', 1]);
  });

  it('takes other settings for new sessions, and another timeout for all', async () => {
    const world = new SessionWorld({ sessionTimeoutMs: 10_000 });
    await world.open();
    world.manager.reconfigure(sessionSettings({ maxSessions: 1, sessionTimeoutMs: 1000 }));
    await expect(world.open()).rejects.toMatchObject({ code: 'SESSION_LIMIT' });
    await world.clock.advance(1000);
    expect([world.driver.total, world.lastEvent]).toEqual([0, expect.objectContaining({ reason: 'idle_timeout' })]);
  });
});
