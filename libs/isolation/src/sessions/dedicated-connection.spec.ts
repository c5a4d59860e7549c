import { describe, expect, it } from '@jest/globals';
import { settled } from '../../test/support/virtual-clock.js';
import { SessionConnection } from './dedicated-connection.js';
import { createSessionId } from './session-id.js';

function createConnection(): SessionConnection<string> {
  const session = createSessionId();
  return new SessionConnection({ session, backend: 'fake', raw: 'raw', establishedAt: new Date(0), openedAtMs: 0 });
}

describe(SessionConnection.name, () => {
  it('lets overlapping requests take turns, in order', async () => {
    const connection = createConnection();
    const log: string[] = [];
    const work = (name: string) =>
      connection.run(async () => {
        log.push(`${name} begins`);
        await settled();
        log.push(`${name} ends`);
      });
    await Promise.all([work('first'), work('second')]);
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('passes the turn on when a request fails', async () => {
    const connection = createConnection();
    const failing = connection.run(() => Promise.reject(new Error('failed')));
    const next = connection.run(async (raw) => raw);
    await expect(failing).rejects.toThrow('failed');
    await expect(next).resolves.toBe('raw');
  });

  it('rejects a request when 100 wait already', async () => {
    const connection = createConnection();
    const requests = Array.from({ length: 101 }, () => connection.run(settled));
    await expect(connection.run(settled)).rejects.toMatchObject({ code: 'SESSION_BUSY', maxQueued: 100 });
    await Promise.all(requests);
  });

  it('forgets a waiting request that is aborted', async () => {
    const connection = createConnection();
    const controller = new AbortController();
    const first = connection.run(settled);
    const second = connection.run(settled, controller.signal);
    controller.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await first;
    await expect(connection.run(async () => 'free')).resolves.toBe('free');
  });

  it('rejects those who wait, and those who come, once it has ended', async () => {
    const connection = createConnection();
    const first = connection.run(settled);
    const second = connection.run(settled);
    connection.end();
    await expect(second).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await expect(connection.run(settled)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await first;
  });
});
