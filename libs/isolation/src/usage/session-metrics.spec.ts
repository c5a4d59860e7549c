import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { ALICE, BOB, IsolationWorld, PER_NAMESPACE, PER_SESSION } from '../../test/support/isolation-world.js';
import { registerSessionMetrics } from './session-metrics.js';

async function createWorld(settings: object) {
  const world = await IsolationWorld.create(settings);
  const registry = new Registry();
  registerSessionMetrics(registry, world.usage);
  const scrape = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith('isolation_'));
  return { world, scrape };
}

describe(registerSessionMetrics.name, () => {
  it('tells of sessions, and of those who ask for what is not theirs', async () => {
    const { world, scrape } = await createWorld(PER_SESSION);
    const { session } = await world.openSession();
    await world.run(async () => {}, { ...BOB, session }).catch(() => {});
    expect(await scrape()).toEqual([
      'isolation_sessions 1',
      'isolation_sessions_max 2',
      'isolation_sessions_foreign_attempts_total 1',
    ]);
  });

  it('tells of none at the other levels', async () => {
    const { world, scrape } = await createWorld(PER_NAMESPACE);
    await world.finish(async () => {}, ALICE);
    expect(await scrape()).toEqual([
      'isolation_sessions 0',
      'isolation_sessions_max 1000',
      'isolation_sessions_foreign_attempts_total 0',
    ]);
  });
});
