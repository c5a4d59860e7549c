import { describe, expect, it } from '@jest/globals';
import { settled } from '../../test/support/virtual-clock.js';
import { ALICE, SessionWorld } from '../../test/support/session-world.js';
import { SessionManager } from './session-manager.js';

describe(`${SessionManager.name}: shutting down`, () => {
  it('creates no more sessions, while those that exist go on', async () => {
    const world = new SessionWorld();
    const { id } = await world.open();
    world.manager.stopOpening();
    await expect(world.open()).rejects.toMatchObject({ code: 'SESSIONS_CLOSED' });
    await expect(world.manager.run(id, ALICE, async () => 'done')).resolves.toBe('done');
  });

  it('ends sessions, writes their events and leaves nothing', async () => {
    const world = new SessionWorld();
    await world.open();
    await world.after(world.manager.drain(1000));
    expect([world.driver.total, world.lastEvent, world.clock.timers]).toEqual([
      0,
      expect.objectContaining({ event: 'session_destroyed', reason: 'shutdown' }),
      0,
    ]);
  });

  it('gives requests under way until the deadline', async () => {
    const world = new SessionWorld();
    const { id } = await world.open();
    void world.manager.run(id, ALICE, () => new Promise(() => {}));
    const drained = world.manager.drain(1000);
    await world.clock.advance(999);
    const before = world.driver.total;
    await world.after(drained);
    expect([before, world.driver.total]).toEqual([1, 0]);
  });

  it('abandons sessions that are being set up', async () => {
    const world = new SessionWorld();
    const opening = world.manager.open(ALICE);
    opening.catch(() => {});
    await settled();
    await world.after(world.manager.drain(1000));
    await expect(opening).rejects.toMatchObject({ code: 'SESSIONS_CLOSED' });
    expect(world.driver.total).toBe(0);
  });

  it('gives up at twice the deadline when the last events cannot be written', async () => {
    const world = new SessionWorld();
    await world.open();
    world.sinkFailure = new Error('disk full');
    const drained = world.manager.drain(1000);
    await world.clock.advance(1999);
    const before = world.clock.timers;
    await world.clock.advance(1);
    await drained;
    expect([before > 0, world.manager.snapshot().audit.queued > 0]).toEqual([true, true]);
  });

  it('ends sessions of a shutdown that was begun twice once', async () => {
    const world = new SessionWorld();
    await world.open();
    await world.after(Promise.all([world.manager.drain(1000), world.manager.drain(1000)]));
    expect(world.eventNames.filter((name) => name === 'session_destroyed')).toHaveLength(1);
  });
});
