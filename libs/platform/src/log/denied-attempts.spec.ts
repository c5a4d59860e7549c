import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { StoreUnavailableError } from '@palisade/domain';
import { ForbiddenError, UnauthenticatedError, type AuthenticatedRequest } from '@palisade/guards';
import { FakeLog, fakeStore } from '../../test/support/fake-log.js';
import { DeniedAttempts } from './denied-attempts.js';

function request(overrides: Partial<AuthenticatedRequest> = {}): AuthenticatedRequest {
  const route = { path: '/scim/v2/Users/:id' };
  const url = '/scim/v2/Users/ann@example.com?access_token=secret';
  return {
    method: 'GET',
    baseUrl: '',
    route,
    url,
    originalUrl: url,
    ip: '192.0.2.1',
    ...overrides,
  } as AuthenticatedRequest;
}

const NO_TOKEN = new UnauthenticatedError('invalid');

describe(DeniedAttempts.name, () => {
  let log: FakeLog;
  let attempts: DeniedAttempts;

  beforeEach(() => {
    jest.useFakeTimers({ now: Date.UTC(2026, 10, 3) });
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    log = new FakeLog();
    attempts = new DeniedAttempts(fakeStore(log));
    attempts.onModuleInit();
  });

  afterEach(async () => {
    await attempts.onApplicationShutdown();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  /** Asks for a namespace that the actor does not administer. */
  function ask(userId: string, namespace: string): void {
    attempts.record({ userId, action: 'routing.resolve', resource: `namespace:${namespace}`, namespace });
  }

  function resourcesOf(userId: string): string[] {
    return log.sealed.filter((record) => record.userId === userId).map(({ resource }) => resource);
  }

  it('writes a rejected credential within a second, without path and query', async () => {
    attempts.denied(new UnauthenticatedError('expired'), request());
    await jest.advanceTimersByTimeAsync(1000);
    expect(log.sealed).toMatchObject([
      {
        position: 1,
        timestamp: new Date(Date.UTC(2026, 10, 3)),
        userId: 'anonymous',
        action: 'authentication',
        resource: 'GET /scim/v2/Users/:id',
        result: 'denied',
        detail: { reason: 'expired', remote_address: '192.0.2.1' },
      },
    ]);
  });

  it('writes who was forbidden something', async () => {
    const principal = { kind: 'admin', actor: 'ann', scopes: [], namespaces: '*' } as const;
    attempts.denied(new ForbiddenError('this operation needs the scope "read"', 'read'), request({ principal }));
    await attempts.flush();
    expect(log.sealed).toMatchObject([{ userId: 'ann', action: 'authorization', scope: 'control_plane' }]);
  });

  it('writes a flood from one address as two records a minute', async () => {
    for (let attempt = 0; attempt < 10_000; attempt += 1) {
      attempts.denied(NO_TOKEN, request());
    }
    await jest.advanceTimersByTimeAsync(61_000);
    expect(log.sealed.map(({ detail }) => detail?.['repeats'])).toEqual([undefined, 9999]);
  });

  it('records an attempt again when its minute is over', async () => {
    ask('ann', 'orders');
    await jest.advanceTimersByTimeAsync(61_000);
    ask('ann', 'orders');
    await jest.advanceTimersByTimeAsync(1000);
    expect(resourcesOf('ann')).toEqual(['namespace:orders', 'namespace:orders']);
  });

  it('records what others attempt, however many namespaces one of them asks for', async () => {
    for (let n = 0; n < 5000; n += 1) {
      ask('eve', `guess-${n}`);
    }
    await jest.advanceTimersByTimeAsync(30_000);
    ask('bob', 'payroll');
    attempts.denied(NO_TOKEN, request({ ip: '198.51.100.7' }));
    await jest.advanceTimersByTimeAsync(31_000);

    expect(resourcesOf('bob')).toEqual(['namespace:payroll']);
    expect(log.sealed).toContainEqual(
      expect.objectContaining({ detail: { reason: 'invalid', remote_address: '198.51.100.7' } }),
    );
    expect(resourcesOf('eve')).toEqual([...Array.from({ length: 30 }, (_, n) => `namespace:guess-${n}`), 'various']);
    expect(log.sealed).toContainEqual(
      expect.objectContaining({
        userId: 'eve',
        action: 'authorization',
        resource: 'various',
        result: 'denied',
        detail: { reason: 'too many different attempts to record each', repeats: 4970 },
      }),
    );
  });

  it('records who is known, however many addresses send something without a credential', async () => {
    for (let n = 0; n < 3000; n += 1) {
      attempts.denied(NO_TOKEN, request({ ip: `10.0.${n >> 8}.${n & 255}` }));
    }
    ask('bob', 'payroll');
    await jest.advanceTimersByTimeAsync(61_000);

    expect(resourcesOf('bob')).toEqual(['namespace:payroll']);
    const detail = { reason: 'attempts of too many callers to record each', repeats: 2000 };
    expect(log.sealed).toContainEqual(expect.objectContaining({ userId: 'anonymous', resource: 'various', detail }));
    expect(log.sealed).toHaveLength(1002);
  });

  it('takes the addresses of one IPv6 network for one caller', async () => {
    for (let n = 0; n < 300; n += 1) {
      attempts.denied(NO_TOKEN, request({ ip: `2001:db8::${n.toString(16)}` }));
    }
    attempts.denied(NO_TOKEN, request({ ip: '2001:db8:0:1::1' }));
    await jest.advanceTimersByTimeAsync(61_000);

    const addresses = log.sealed.map(({ detail }) => detail?.['remote_address']);
    expect(addresses).toHaveLength(32);
    expect(addresses).toContain('2001:db8:0:1::1');
    expect(log.sealed).toContainEqual(
      expect.objectContaining({ resource: 'various', detail: expect.objectContaining({ repeats: 270 }) }),
    );
  });

  it('tries again what could not be written', async () => {
    const append = jest.spyOn(log, 'append').mockRejectedValueOnce(new StoreUnavailableError(1));
    attempts.denied(NO_TOKEN, request());
    await jest.advanceTimersByTimeAsync(1000);
    expect(log.sealed).toEqual([]);
    await jest.advanceTimersByTimeAsync(1000);
    expect(log.sealed).toHaveLength(1);
    expect(append).toHaveBeenCalledTimes(2);
  });

  it('keeps the latest 1,000 records while the store is unreachable', async () => {
    const append = jest.spyOn(log, 'append').mockRejectedValue(new StoreUnavailableError(1));
    for (let minute = 0; minute < 3; minute += 1) {
      for (let actor = 0; actor < 600; actor += 1) {
        ask(`actor-${minute}-${actor}`, 'x');
      }
      await jest.advanceTimersByTimeAsync(61_000);
    }
    append.mockRestore();
    await jest.advanceTimersByTimeAsync(1000);
    const { sealed } = log;
    expect([sealed.length, sealed.at(0)?.userId, sealed.at(-1)?.userId]).toEqual([1000, 'actor-1-200', 'actor-2-599']);
  });

  it('gives up records of whoever has most while the store is unreachable', async () => {
    const append = jest.spyOn(log, 'append').mockRejectedValue(new StoreUnavailableError(1));
    ask('bob', 'payroll');
    for (let minute = 0; minute < 120; minute += 1) {
      for (let n = 0; n < 20; n += 1) {
        ask('eve', `guess-${minute}-${n}`);
      }
      await jest.advanceTimersByTimeAsync(61_000);
    }
    append.mockRestore();
    await jest.advanceTimersByTimeAsync(1000);
    expect(resourcesOf('bob')).toEqual(['namespace:payroll']);
    expect(log.sealed).toHaveLength(1000);
  });

  it('writes what is pending at the end', async () => {
    attempts.denied(NO_TOKEN, request());
    attempts.denied(NO_TOKEN, request());
    await attempts.onApplicationShutdown();
    expect(log.sealed).toHaveLength(2);
  });
});
