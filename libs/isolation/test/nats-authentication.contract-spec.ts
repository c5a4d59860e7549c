import { afterEach, describe, expect, it } from '@jest/globals';
import { NatsDriver } from '../src/backends/nats/nats-driver.js';
import { withCredentials } from '../src/backends/nats/nats-options.js';
import { createNatsKey } from '../src/backends/nats/provisioning/nats-key.js';
import { NamespaceRejectedError } from '../src/pools/pool.errors.js';
import { ACME, NatsWorld } from './support/nats-world.js';

const KEY = createNatsKey();
const OTHER_KEY = createNatsKey();
const { signal: NEVER } = new AbortController();

let world: NatsWorld | undefined;

afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
});

describe(NatsDriver.name, () => {
  it.each([
    [
      'user and password',
      'authorization { users: [{ user: ada, password: own }] }',
      { user: 'ada', password: 'own' },
      { user: 'ada', password: 'wrong' },
    ],
    ['a token', 'authorization { token: own }', { token: 'own' }, { token: 'wrong' }],
    ['a key', `authorization { users: [{ nkey: ${KEY.nkey} }] }`, { nkeySeed: KEY.seed }, { nkeySeed: OTHER_KEY.seed }],
  ])('connects with %s that a session brings, and blames the session for wrong ones', async (_, config, own, wrong) => {
    const observer = withCredentials({}, own);
    world = await NatsWorld.start({ config, observer });
    const driver = world.driver();
    const link = await driver.connect(ACME, NEVER, own);
    expect(driver.isUsable(link)).toBe(true);
    await driver.close(link);
    const error: unknown = await driver.connect(ACME, NEVER, wrong).catch((reason: unknown) => reason);
    expect([String(error), error instanceof NamespaceRejectedError]).toEqual([
      expect.stringContaining('Authorization Violation'),
      true,
    ]);
    const shared: unknown = await driver.connect(ACME, NEVER).catch((reason: unknown) => reason);
    expect(shared).not.toBeInstanceOf(NamespaceRejectedError);
    await world.waitForNone();
  });
});
