import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parsePoolName, parseProxyId, type HeldLease } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { DnsDuty, type DnsDutyOptions } from '../src/dns/dns.duty.js';
import type { DnsSettings } from '../src/config/control-plane-settings.js';
import { KEY_NAME, KnotServer, ZONE } from './support/knot-server.js';
import { until } from '../../../test/support/until.js';

const STANDARD = parsePoolName('standard');
const NAME = `standard.${ZONE}`;
const CHANGE = { actor: 'test', at: new Date() };
const HOUR_MS = 3_600_000;

describe(DnsDuty.name, () => {
  let knot: KnotServer;
  let store: MemoryStore;
  let lease: HeldLease;
  let directory: string;
  let stopDuty: () => Promise<void>;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    knot = await KnotServer.start();
  });
  afterAll(async () => {
    await knot[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    store = new MemoryStore();
    lease = await store.leases.acquire('leader', 'this one', 60_000);
    directory = mkdtempSync(join(tmpdir(), 'palisade-dns-'));
    writeSecret(knot.secret);
    stopDuty = async () => {};
  });
  afterEach(async () => {
    await stopDuty();
    rmSync(directory, { recursive: true });
  });

  const writeSecret = (secret: string) => writeFileSync(join(directory, 'key'), `${secret}\n`);

  function start(settings: Partial<DnsSettings> = {}, options: Partial<DnsDutyOptions> = {}): DnsDuty {
    const duty = new DnsDuty(store, {
      pools: [STANDARD],
      panicThresholdPercent: 50,
      ...options,
      settings: {
        server: { host: '127.0.0.1', port: knot.port },
        zone: ZONE,
        keyName: KEY_NAME,
        keyAlgorithm: 'hmac-sha256',
        keySecretFile: join(directory, 'key'),
        ttlSeconds: 20,
        timeoutMs: 500,
        ...settings,
      },
    });
    const term = new AbortController();
    const ended = duty.run({ signal: term.signal, lease: () => lease, isHeld: () => true }).catch((error: unknown) => {
      term.signal.throwIfAborted();
      throw error;
    });
    stopDuty = async () => {
      term.abort();
      await ended.catch(() => {});
    };
    return duty;
  }

  async function addProxy(id: string, host: string, health: 'healthy' | 'unhealthy' = 'healthy'): Promise<void> {
    const proxy = { pool: STANDARD, host, port: 8080, weight: 1, isDraining: false };
    await store.proxies.put(parseProxyId(id), 'static', proxy, CHANGE);
    await observe(id, health);
  }
  const observe = (id: string, health: 'healthy' | 'unhealthy') =>
    store.proxies.observe([{ id: parseProxyId(id), health, at: new Date() }], CHANGE);
  const expectExactly = (...addresses: string[]) =>
    until(async () => (await knot.resolve(NAME)).join() === addresses.join());
  async function status(): Promise<Record<string, unknown>> {
    const [found] = await store.operations.statuses();
    return (found?.detail as { names: Record<string, unknown>[] } | undefined)?.names[0] ?? {};
  }
  const expectPending = (text: string) =>
    until(async () => {
      const { state, error } = await status();
      return state === 'pending' && String(error).includes(text);
    });

  it('gives the name of a pool the addresses of its healthy proxies', async () => {
    await addProxy('a', '10.0.0.1');
    await addProxy('b', '10.0.0.2');
    await addProxy('c', '10.0.0.3', 'unhealthy');
    start();
    await expectExactly('10.0.0.1', '10.0.0.2');
    await until(async () => (await status())['state'] === 'applied');
    expect(await status()).toMatchObject({ name: NAME, addresses: ['10.0.0.1', '10.0.0.2'] });
  });

  it('counts updates that were made, and those that were not', async () => {
    await addProxy('a', '10.0.7.1');
    writeSecret(Buffer.from('wrong').toString('base64'));
    const { updates } = start();
    await until(async () => updates.failed > 0);
    expect(updates.applied).toBe(0);
    writeSecret(knot.secret);
    await until(async () => updates.applied > 0);
    expect(await knot.resolve(NAME)).toEqual(['10.0.7.1']);
  });

  it('follows health and registrations', async () => {
    await addProxy('a', '10.0.0.1');
    await addProxy('b', '10.0.0.2');
    start();
    await expectExactly('10.0.0.1', '10.0.0.2');
    await observe('a', 'unhealthy');
    await expectExactly('10.0.0.2');
    await addProxy('c', '10.0.0.9');
    await expectExactly('10.0.0.2', '10.0.0.9');
  });

  it('keeps all addresses when too few proxies would be left', async () => {
    await addProxy('a', '10.0.1.1', 'unhealthy');
    await addProxy('b', '10.0.1.2', 'unhealthy');
    await addProxy('c', '10.0.1.3');
    start();
    await expectExactly('10.0.1.1', '10.0.1.2', '10.0.1.3');
  });

  it('writes addresses of both families', async () => {
    await addProxy('a', '10.0.2.1');
    await addProxy('b', 'fd00::1:2');
    await addProxy('c', '::ffff:10.0.0.1');
    start();
    await expectExactly('10.0.2.1');
    expect(await knot.resolve(NAME, 'AAAA')).toEqual(['::ffff:10.0.0.1', 'fd00::1:2']);
  });

  it('resolves the names of proxies', async () => {
    await addProxy('a', 'proxy-1.internal');
    start({}, { resolve: async () => ['10.0.3.2', '10.0.3.1'] });
    await expectExactly('10.0.3.1', '10.0.3.2');
  });

  it('removes the name of a pool without proxies', async () => {
    await addProxy('a', '10.0.4.1');
    start();
    await expectExactly('10.0.4.1');
    await store.proxies.remove(parseProxyId('a'), CHANGE);
    await expectExactly();
  });

  it('leaves a name alone while a proxy cannot be resolved', async () => {
    await addProxy('a', '10.0.5.1');
    let isAway = false;
    start(
      {},
      {
        resolve: async () => {
          if (isAway) {
            throw new Error('EAI_AGAIN');
          }
          return ['10.0.5.2'];
        },
      },
    );
    await expectExactly('10.0.5.1');
    isAway = true;
    await addProxy('b', 'proxy-2.internal');
    await expectPending('EAI_AGAIN');
    expect(await knot.resolve(NAME)).toEqual(['10.0.5.1']);
    isAway = false;
    await expectExactly('10.0.5.1', '10.0.5.2');
  });

  it.each<[string, Partial<DnsSettings>, Partial<DnsDutyOptions>, string]>([
    ['of a key that the server does not know', { keyName: 'nobodys-key' }, {}, 'BADKEY'],
    ['of another algorithm', { keyAlgorithm: 'hmac-sha512' }, {}, 'BADKEY'],
    ['of a key that may not change the zone', { keyName: 'other-key' }, {}, 'BADKEY'],
    ['of a clock that is an hour ahead', {}, { now: () => Date.now() + HOUR_MS }, 'BADTIME'],
    ['of another zone', { zone: 'example.org' }, {}, 'NOTAUTH'],
    ['of a file that is not there', { keySecretFile: '/nowhere/key' }, {}, 'cannot be read'],
  ])('is pending because %s', async (_, settings, options, text) => {
    await addProxy('a', '10.0.6.1');
    start(settings, options);
    await expectPending(text);
  });

  it('converges when the secret is put right', async () => {
    writeSecret(Buffer.from('another secret altogether, 32 b.').toString('base64'));
    await addProxy('a', '10.0.7.1');
    start();
    await expectPending('BADSIG');
    writeSecret(knot.secret);
    await expectExactly('10.0.7.1');
  });

  it('may update the names of pools, and no others, with the ACL of the documentation', async () => {
    const page = readFileSync(new URL('../../../docs/control-plane/dns.md', import.meta.url), 'utf8');
    const rule = [...page.matchAll(/^ +(update-owner.*)$/gm)].map(([, line = '']) => line);
    expect(rule).toHaveLength(3);
    await using strict = await KnotServer.start(undefined, knot.secret, rule);
    await addProxy('a', '10.0.10.1');
    start({ server: { host: '127.0.0.1', port: strict.port } }, { pools: [STANDARD, parsePoolName('gold')] });
    await until(async () => (await strict.resolve(NAME)).join() === '10.0.10.1');
    const gold = async () => {
      const [found] = await store.operations.statuses();
      const { names = [] } = (found?.detail ?? {}) as { names?: { name: string; error?: string }[] };
      return names.find(({ name }) => name === `gold.${ZONE}`)?.error;
    };
    await until(async () => (await gold()) !== undefined);
    expect(await gold()).toBe('BADKEY: the server does not know this key, or does not let it update this name');
  });

  describe('with a server that misbehaves', () => {
    let sockets: Socket[];
    let broken: ReturnType<typeof createServer>;
    async function startBroken(answer: (request: Buffer) => Buffer | undefined): Promise<number> {
      sockets = [];
      broken = createServer((socket) => {
        sockets.push(socket);
        socket.on('data', (chunk) => {
          const reply = answer(chunk.subarray(2));
          if (reply) {
            const length = Buffer.alloc(2);
            length.writeUInt16BE(reply.length);
            socket.write(Buffer.concat([length, reply]));
          }
        });
      }).listen(0, '127.0.0.1');
      await once(broken, 'listening');
      return (broken.address() as AddressInfo).port;
    }
    afterEach(() => {
      sockets.forEach((socket) => socket.destroy());
      broken.close();
    });
    /** The request's header as an answer, with a response code. */
    const answerWith = (rcode: number) => (request: Buffer) => {
      const header = Buffer.from(request.subarray(0, 12));
      header.writeUInt16BE(0x8000 | (5 << 11) | rcode, 2);
      header.fill(0, 4);
      return header;
    };

    it.each<[string, (request: Buffer) => Buffer | undefined]>([
      ['did not answer in time', () => undefined],
      ['SERVFAIL', answerWith(2)],
      ['not signed with the key', answerWith(0)],
      ['malformed', (request) => Buffer.concat([request.subarray(0, 2), Buffer.from('8000ffffffffffffffff', 'hex')])],
      ['does not belong to the request', () => Buffer.alloc(12)],
    ])('is pending: %s', async (text, answer) => {
      const port = await startBroken(answer);
      await addProxy('a', '10.0.8.1');
      start({ server: { host: '127.0.0.1', port } });
      await expectPending(text);
    });

    it('converges when the server is well again', async () => {
      await using other = await KnotServer.start();
      const { port, secret } = other;
      await other[Symbol.asyncDispose]();
      writeSecret(secret);
      await addProxy('a', '10.0.9.1');
      start({ server: { host: '127.0.0.1', port } });
      await expectPending('ECONNREFUSED');
      await using again = await KnotServer.start(port, secret);
      await until(async () => (await again.resolve(NAME)).join() === '10.0.9.1');
      await startBroken(() => undefined);
    });
  });
});
