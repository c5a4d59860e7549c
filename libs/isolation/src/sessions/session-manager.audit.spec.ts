import { describe, expect, it } from '@jest/globals';
import { ALICE, SessionWorld } from '../../test/support/session-world.js';
import { sessionSettings } from '../../test/support/session-settings.js';
import { SessionManager } from './session-manager.js';

const DOWN = new Error('disk full');

describe(`${SessionManager.name}: events`, () => {
  it('tells of a session and its connections in order', async () => {
    const world = new SessionWorld();
    const { id } = await world.open(ALICE, { connections: { fake: 1 } });
    await world.manager.run(id, ALICE, async () => {});
    await world.clock.advance(1000);
    await world.after(world.manager.end(id, ALICE));
    const [, established] = world.events;
    const connection = established?.event === 'connection_established' ? established.connection_id : undefined;
    expect(world.events).toEqual([
      {
        event: 'session_created',
        session_id: id,
        client_id: 'alice',
        namespace: 'acme',
        timestamp: '2026-01-01T00:00:00.000Z',
      },
      {
        event: 'connection_established',
        session_id: id,
        backend: 'fake',
        connection_id: connection,
        timestamp: '2026-01-01T00:00:00.005Z',
      },
      {
        event: 'connection_closed',
        session_id: id,
        backend: 'fake',
        connection_id: connection,
        duration_ms: 1006,
        timestamp: '2026-01-01T00:00:01.011Z',
      },
      {
        event: 'session_destroyed',
        session_id: id,
        duration_ms: 1011,
        requests_handled: 1,
        reason: 'ended',
        timestamp: '2026-01-01T00:00:01.011Z',
      },
    ]);
  });

  it('tells of a session that could not be set up, and of what was closed', async () => {
    const world = new SessionWorld();
    world.other.failure = () => new Error('connection refused');
    await world.open().catch(() => {});
    expect([world.eventNames, world.lastEvent]).toEqual([
      ['session_created', 'connection_established', 'connection_closed', 'session_destroyed'],
      expect.objectContaining({ reason: 'connect_failed' }),
    ]);
  });

  it('destroys a session once, however often and for however many reasons it ends', async () => {
    const world = new SessionWorld();
    const { id } = await world.open();
    const [connection] = world.driver.connections;
    const ending = world.manager.end(id, ALICE);
    connection?.lose();
    await world.after(Promise.all([ending, world.manager.drain(1000)]));
    expect(world.eventNames.filter((name) => name === 'session_destroyed')).toHaveLength(1);
  });

  it('writes only what is to be logged', async () => {
    const world = new SessionWorld({ audit: { logsConnections: false } });
    await world.open();
    expect(world.eventNames).toEqual(['session_created']);
  });

  it('creates no session whose creation cannot be written, and opens no connection', async () => {
    const world = new SessionWorld();
    world.sinkFailure = DOWN;
    await expect(world.open()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE', cause: DOWN });
    expect([world.driver.attempts, world.manager.snapshot().sessions]).toEqual([0, 0]);
  });

  it('creates no session while events cannot be written', async () => {
    const world = new SessionWorld();
    world.sinkFailure = DOWN;
    await world.open().catch(() => {});
    const { queued } = world.manager.snapshot().audit;
    await expect(world.open()).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    expect(world.manager.snapshot().audit).toEqual({ isHealthy: false, queued, dropped: 0 });
  });

  it('writes later what could not be written, and then creates sessions again', async () => {
    const world = new SessionWorld();
    const { id } = await world.open();
    world.sinkFailure = DOWN;
    await world.after(world.manager.end(id, ALICE));
    world.sinkFailure = undefined;
    await world.clock.advance(10_000);
    expect(world.eventNames.slice(-3)).toEqual(['connection_closed', 'connection_closed', 'session_destroyed']);
    await expect(world.open()).resolves.toMatchObject({ state: 'active' });
  });

  it('creates sessions without a trail when events are optional', async () => {
    const world = new SessionWorld({ audit: { isMandatory: false } });
    world.sinkFailure = DOWN;
    await expect(world.open()).resolves.toMatchObject({ state: 'active' });
  });

  it('demands a sink when events are mandatory', () => {
    const { manager: _, ...world } = new SessionWorld();
    const settings = sessionSettings();
    expect(() => new SessionManager({ settings, backends: [], clock: world.clock })).toThrow('expected a sink');
  });
});
