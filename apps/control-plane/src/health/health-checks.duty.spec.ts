import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ProxyStore, StoreUnavailableError, parsePoolName, parseProxyId, type HeldLease } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { HealthChecksDuty } from './health-checks.duty.js';

const SETTINGS = {
  path: '/health/ready',
  intervalMs: 1000,
  timeoutMs: 10,
  rise: 1,
  fall: 1,
  panicThresholdPercent: 50,
  heartbeatTimeoutMs: 5000,
  forgetAfterMs: 20_000,
};
const ID = parseProxyId('standard-1');
const elapse = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe(HealthChecksDuty.name, () => {
  let store: MemoryStore;
  let term: AbortController;
  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    Logger.overrideLogger(false);
    store = new MemoryStore();
    term = new AbortController();
    const draft = { pool: parsePoolName('standard'), host: '127.0.0.1', port: 1, weight: 1, isDraining: false };
    await store.proxies.put(ID, 'registration', draft, { actor: 'test', at: new Date() });
  });
  afterEach(() => {
    term.abort();
    jest.useRealTimers();
  });

  function start(proxies: ProxyStore = store.proxies): void {
    const lease = (): HeldLease => ({ name: 'leader', holder: 'a', epoch: 1, expiresAt: new Date(0) });
    void new HealthChecksDuty(proxies, SETTINGS).run({ signal: term.signal, lease, isHeld: () => true });
  }
  const isKnown = async () => (await store.proxies.find(ID)) !== undefined;

  it('forgets a registered proxy whose heartbeats have stopped', async () => {
    start();
    await elapse(19_000);
    expect(await isKnown()).toBe(true);
    await elapse(3000);
    expect(await isKnown()).toBe(false);
  });

  it('keeps a proxy that sends heartbeats', async () => {
    start();
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await store.proxies.heartbeat(ID, {});
      await elapse(5000);
    }
    expect(await isKnown()).toBe(true);
  });

  it('gives proxies time to be heard after nobody has led for long', async () => {
    await elapse(600_000);
    start();
    await elapse(19_000);
    expect(await isKnown()).toBe(true);
    await elapse(3000);
    expect(await isKnown()).toBe(false);
  });

  it('gives proxies time to be heard after the store was away', async () => {
    let isAway = false;
    const link = new Proxy(store.proxies, {
      get: (target, key) =>
        key === 'list' && isAway
          ? () => Promise.reject(new StoreUnavailableError(1))
          : Reflect.get(target, key).bind(target),
    });
    start(link);
    await elapse(1000);
    isAway = true;
    await elapse(600_000);
    isAway = false;
    await elapse(15_000);
    expect(await isKnown()).toBe(true);
  });
});

describe(`${HealthChecksDuty.name} with proxies that do not answer`, () => {
  it('checks the proxies of other pools as often as before', async () => {
    Logger.overrideLogger(false);
    const store = new MemoryStore();
    let checks = 0;
    const answering = createServer((_, response) => {
      checks += 1;
      response.end();
    });
    const hanging = createServer(() => {});
    const portOf = async (server: Server): Promise<number> => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return (server.address() as AddressInfo).port;
    };
    const [good, bad] = [await portOf(answering), await portOf(hanging)];
    const put = (id: string, pool: string, port: number) => {
      const draft = { pool: parsePoolName(pool), host: '127.0.0.1', port, weight: 1, isDraining: false };
      return store.proxies.put(parseProxyId(id), 'static', draft, { actor: 'test', at: new Date() });
    };
    for (let each = 0; each < 300; each += 1) {
      await put(`a-${each}`, 'standard', bad);
    }
    await put('b', 'premium', good);
    const term = new AbortController();
    const lease = (): HeldLease => ({ name: 'leader', holder: 'a', epoch: 1, expiresAt: new Date(0) });
    const settings = { ...SETTINGS, intervalMs: 100, timeoutMs: 1000 };
    const ended = new HealthChecksDuty(store.proxies, settings).run({ signal: term.signal, lease, isHeld: () => true });
    // Real connections need real time: fifteen intervals, in which each proxy that hangs takes ten.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    term.abort();
    await ended;
    [answering, hanging].forEach((server) => {
      server.close();
      server.closeAllConnections();
    });
    expect(checks).toBeGreaterThan(5);
    expect(await store.proxies.find(parseProxyId('b'))).toMatchObject({ health: 'healthy' });
  });
});
