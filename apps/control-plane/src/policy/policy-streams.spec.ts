import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseProxyId, type Proxy, type Store } from '@palisade/domain';
import { UnauthenticatedError, type AdminPrincipal } from '@palisade/guards';
import { STANDARD } from '../../test/support/routing-settings.js';
import type { ProxiesService } from '../proxies/proxies.service.js';
import type { AccessWatch } from '../proxy-access/access-watch.js';
import type { Registry } from '../routing/table/registry.js';
import type { Policies } from './policies.js';
import { PolicyStreams } from './policy-streams.js';
import { TooManyStreamsError } from './policy.errors.js';

/** The other end reads everything. */
class Connection extends EventEmitter {
  isEnded = false;
  writeHead(): void {}
  flushHeaders(): void {}

  write(_: Buffer, taken?: () => void): void {
    taken?.();
  }

  end(): void {
    this.isEnded = true;
  }
}

const CALLER = { name: 'test' } as unknown as AdminPrincipal;

describe(PolicyStreams.name, () => {
  let streams: PolicyStreams;
  let proxies: Proxy[];
  const running: Promise<unknown>[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    proxies = [];
    streams = new PolicyStreams(
      { onChange: () => {}, after: async () => undefined } as unknown as Policies,
      { getOwn: async () => ({ pool: STANDARD }) } as unknown as ProxiesService,
      { current: async () => undefined } as unknown as Registry,
      { proxies: { list: async () => proxies } } as unknown as Store,
      { subscribe: () => ({ [Symbol.dispose]: () => {} }) } as unknown as AccessWatch,
    );
  });

  afterEach(async () => {
    await streams.onModuleDestroy();
    await Promise.all(running.splice(0));
    jest.useRealTimers();
  });

  /** Resolves when the stream is open. */
  async function open(name: string, authenticate: () => Promise<unknown> = async () => undefined): Promise<Connection> {
    const [proxy, connection] = [parseProxyId(name), new Connection()];
    proxies.push({ id: proxy, pool: STANDARD } as Proxy);
    const response = connection as unknown as ServerResponse;
    running.push(streams.open({ caller: CALLER, proxy, sent: undefined, response, authenticate }));
    await jest.advanceTimersByTimeAsync(0);
    return connection;
  }

  it('serves 2,000, and says of one more that another replica has to', async () => {
    for (let at = 0; at < 2000; at += 1) {
      await open(`p${at}`);
    }
    const rejected = streams.open({
      caller: CALLER,
      proxy: parseProxyId('one-more'),
      sent: undefined,
      response: new Connection() as unknown as ServerResponse,
      authenticate: async () => undefined,
    });
    await expect(rejected).rejects.toThrow(TooManyStreamsError);
    expect(streams.size).toBe(2000);
  });

  it('ends one whose credential was revoked, within five seconds, and no other', async () => {
    let isValid = true;
    const revoked = await open('a', async () => {
      if (!isValid) {
        throw new UnauthenticatedError('revoked');
      }
    });
    const other = await open('b');
    await jest.advanceTimersByTimeAsync(6000);
    expect(revoked.isEnded).toBe(false);
    isValid = false;
    await jest.advanceTimersByTimeAsync(5000);
    expect([revoked.isEnded, other.isEnded, streams.size]).toEqual([true, false, 1]);
  });

  it('ends none while credentials cannot be checked', async () => {
    const connection = await open('a', () => Promise.reject(new Error('the keys of the issuer cannot be loaded')));
    await jest.advanceTimersByTimeAsync(11_000);
    expect(connection.isEnded).toBe(false);
  });
});
