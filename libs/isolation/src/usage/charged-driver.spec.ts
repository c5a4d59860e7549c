import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { FakeDriver } from '../../test/support/fake-driver.js';
import { VirtualClock } from '../../test/support/virtual-clock.js';
import { SHARED } from '../pools/pool-settings.js';
import { ChargedDriver } from './charged-driver.js';
import type { CpuMeter } from '../limits/cpu-meter.js';

const ACME = parseNamespaceId('acme');

class RecordingMeter implements CpuMeter {
  readonly charged: (NamespaceId | undefined)[] = [];

  run<T>(namespace: NamespaceId | undefined, work: () => T): T {
    this.charged.push(namespace);
    return work();
  }

  stop(): void {}
}

async function connect({ namespace = ACME, needsCleaning = true } = {}) {
  const clock = new VirtualClock();
  const meter = new RecordingMeter();
  const own = new FakeDriver({ clock, ...(needsCleaning ? { resetMs: 1 } : {}) });
  const driver = new ChargedDriver({ driver: own, meter });
  const connecting = driver.connect(namespace, new AbortController().signal, { user: 'ann' });
  await clock.advance(5);
  return { clock, meter, own, driver, connection: await connecting };
}

describe(ChargedDriver.name, () => {
  it('charges what comes in on a connection to its namespace', async () => {
    const { meter, connection } = await connect();
    expect([meter.charged, connection.namespace, connection.credentials]).toEqual([['acme'], 'acme', { user: 'ann' }]);
  });

  it('charges what comes in on a connection of everybody to nobody', async () => {
    const { meter } = await connect({ namespace: SHARED });
    expect(meter.charged).toEqual([undefined]);
  });

  it('is otherwise the driver that it stands for', async () => {
    const { clock, own, driver, connection } = await connect();
    let isLost = false;
    driver.onLost(connection, () => (isLost = true));
    connection.lose();
    const cleaning = driver.reset(connection);
    await clock.advance(1);
    await cleaning;
    const closing = driver.close(connection);
    await clock.advance(1);
    await closing;
    expect([isLost, driver.isUsable(connection), own.total]).toEqual([true, false, 0]);
  });

  it('has nothing to clean when the driver has not', async () => {
    const { driver, connection } = await connect({ needsCleaning: false });
    expect(driver.reset(connection)).toBeUndefined();
  });
});
