import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SrvRecord } from 'node:dns';
import { parsePoolName, parseProxyId } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import type { LeaderDuty } from '../leadership/leader-duty.js';
import { DnsSrvDiscoveryDuty } from './dns-srv-discovery.duty.js';
import { StaticDiscoveryDuty } from './static-discovery.duty.js';

const STANDARD = parsePoolName('standard');
const PREMIUM = parsePoolName('premium');
const CHANGE = { actor: 'ann@example.com', at: new Date(0) };

describe('discovery', () => {
  let store: MemoryStore;
  let running: { readonly term: AbortController; readonly ended: Promise<void> }[];
  beforeEach(() => {
    store = new MemoryStore();
    running = [];
    Logger.overrideLogger(false);
  });
  afterEach(async () => {
    for (const { term, ended } of running) {
      term.abort();
      await ended;
    }
  });

  function start(duty: LeaderDuty): void {
    const term = new AbortController();
    const lease = () => ({ name: 'leader', holder: 'a', epoch: 1, expiresAt: new Date(0) });
    running.push({ term, ended: duty.run({ signal: term.signal, lease, isHeld: () => true }) });
  }
  const ids = async () => (await store.proxies.list()).map(({ id }) => id);
  async function until(condition: () => Promise<boolean>): Promise<void> {
    while (!(await condition())) {
      await new Promise(setImmediate);
    }
  }
  const expectExactly = (...expected: string[]) => until(async () => (await ids()).join() === expected.join());

  describe(StaticDiscoveryDuty.name, () => {
    const proxy = (port: number) => ({ pool: STANDARD, host: '10.0.0.1', port, weight: 1 });

    it('has the proxies that are listed', async () => {
      start(new StaticDiscoveryDuty(store.proxies, 'static', [proxy(8080), proxy(8081)]));
      await expectExactly('10.0.0.1-8080', '10.0.0.1-8081');
      expect(await store.proxies.list()).toMatchObject([{ source: 'static', health: 'unknown' }, { source: 'static' }]);
    });

    it('removes those that are not listed any more', async () => {
      await store.proxies.put(parseProxyId('old'), 'static', { ...proxy(1), isDraining: false }, CHANGE);
      start(new StaticDiscoveryDuty(store.proxies, 'static', []));
      await expectExactly();
    });

    it('keeps a proxy draining that an operator has drained', async () => {
      await store.proxies.put(parseProxyId('10.0.0.1-8080'), 'static', { ...proxy(8080), isDraining: true }, CHANGE);
      start(new StaticDiscoveryDuty(store.proxies, 'static', [{ ...proxy(8080), weight: 7 }]));
      await until(async () => (await store.proxies.list())[0]?.weight === 7);
      expect(await store.proxies.list()).toMatchObject([{ isDraining: true }]);
    });

    it('leaves proxies of other sources alone', async () => {
      await store.proxies.put(parseProxyId('own'), 'registration', { ...proxy(1), isDraining: false }, CHANGE);
      await store.proxies.put(
        parseProxyId('10.0.0.1-8080'),
        'registration',
        { ...proxy(2), isDraining: false },
        CHANGE,
      );
      start(new StaticDiscoveryDuty(store.proxies, 'static', [proxy(8080), proxy(8081)]));
      await expectExactly('10.0.0.1-8080', '10.0.0.1-8081', 'own');
      expect(await store.proxies.find(parseProxyId('10.0.0.1-8080'))).toMatchObject({
        source: 'registration',
        port: 2,
      });
    });
  });

  describe(DnsSrvDiscoveryDuty.name, () => {
    const record = (name: string, weight = 1, priority = 0): SrvRecord => ({ name, port: 8080, weight, priority });
    function startWith(answers: Record<string, readonly SrvRecord[] | Error>): void {
      const resolveSrv = async (service: string): Promise<SrvRecord[]> => {
        const answer = answers[service] ?? [];
        if (answer instanceof Error) {
          throw answer;
        }
        return [...answer];
      };
      const services = new Map([
        [PREMIUM, '_proxy._tcp.premium.test'],
        [STANDARD, '_proxy._tcp.standard.test'],
      ]);
      start(new DnsSrvDiscoveryDuty(store.proxies, { type: 'dns_srv', services, intervalMs: 1 }, { resolveSrv }));
    }

    it('has the proxies that records name, per pool', async () => {
      startWith({ '_proxy._tcp.premium.test': [record('p1.test')], '_proxy._tcp.standard.test': [record('s1.test')] });
      await expectExactly('p1.test-8080', 's1.test-8080');
      expect(await store.proxies.list()).toMatchObject([
        { pool: 'premium', host: 'p1.test', port: 8080, source: 'dns_srv' },
        { pool: 'standard', host: 's1.test' },
      ]);
    });

    it('follows changes', async () => {
      const answers = { '_proxy._tcp.standard.test': [record('s1.test')] };
      startWith(answers);
      await expectExactly('s1.test-8080');
      answers['_proxy._tcp.standard.test'] = [record('s2.test')];
      await expectExactly('s2.test-8080');
    });

    it.each<[string, readonly SrvRecord[] | Error]>([
      ['fails', new Error('ESERVFAIL')],
      ['is empty', []],
      ['says that there is no service', [record('.')]],
    ])('keeps the proxies of a pool whose answer %s', async (_, answer) => {
      const answers: Record<string, readonly SrvRecord[] | Error> = {
        '_proxy._tcp.standard.test': [record('s1.test')],
        '_proxy._tcp.premium.test': [record('p1.test')],
      };
      startWith(answers);
      await expectExactly('p1.test-8080', 's1.test-8080');
      answers['_proxy._tcp.standard.test'] = answer;
      answers['_proxy._tcp.premium.test'] = [record('p2.test')];
      await expectExactly('p2.test-8080', 's1.test-8080');
    });

    it('uses the targets of the lowest priority only (RFC 2782)', async () => {
      startWith({ '_proxy._tcp.standard.test': [record('spare.test', 1, 20), record('s1.test', 1, 10)] });
      await expectExactly('s1.test-8080');
    });

    it('keeps the proportion of large weights', async () => {
      startWith({ '_proxy._tcp.standard.test': [record('a.test', 1000), record('b.test', 250), record('c.test', 0)] });
      await expectExactly('a.test-8080', 'b.test-8080', 'c.test-8080');
      expect((await store.proxies.list()).map(({ weight }) => weight)).toEqual([256, 64, 1]);
    });
  });
});
