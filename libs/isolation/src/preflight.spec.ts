import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ScopedDriver } from '../test/support/scoped-driver.js';
import { IsolationWorld, PER_NAMESPACE } from '../test/support/isolation-world.js';
import { VirtualClock } from '../test/support/virtual-clock.js';
import { Preflight } from './preflight.js';

afterEach(() => {
  jest.restoreAllMocks();
});

function createWith(preflight: () => Promise<readonly string[] | void>): Promise<IsolationWorld> {
  const driver = Object.assign(new ScopedDriver({ clock: new VirtualClock() }), { preflight });
  return IsolationWorld.create(PER_NAMESPACE, { backends: { fake: driver } });
}

describe(Preflight.name, () => {
  it('has every backend checked once, before the app starts', async () => {
    const preflight = jest.fn(async () => {});
    await createWith(preflight);
    expect(preflight).toHaveBeenCalledTimes(1);
  });

  it('stops the start when a backend is not safe', async () => {
    const rejection = new Error('the role is a superuser');
    await expect(createWith(() => Promise.reject(rejection))).rejects.toBe(rejection);
  });

  it('tells an operator what a backend warns of', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    await createWith(async () => ['the table has no rows']);
    expect(warn).toHaveBeenCalledWith('the table has no rows', { backend: 'fake' });
  });
});
