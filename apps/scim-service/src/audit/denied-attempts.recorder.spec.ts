import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { StoreUnavailableError } from '@palisade/domain';
import { ForbiddenError, UnauthenticatedError, type AuthenticatedRequest } from '@palisade/guards';
import { MemoryStore } from '@palisade/storage';
import { DeniedAttemptsRecorder } from './denied-attempts.recorder.js';

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

describe(DeniedAttemptsRecorder.name, () => {
  let store: MemoryStore;
  let recorder: DeniedAttemptsRecorder;

  beforeEach(() => {
    jest.useFakeTimers({ now: Date.UTC(2026, 10, 3) });
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    store = new MemoryStore();
    recorder = new DeniedAttemptsRecorder(store);
    recorder.onModuleInit();
  });

  afterEach(async () => {
    await recorder.onApplicationShutdown();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  function written() {
    return store.audit.list({ limit: 1000 });
  }

  it('writes a refused credential within a second, without path and query', async () => {
    recorder.refused(new UnauthenticatedError('expired'), request());
    await jest.advanceTimersByTimeAsync(1000);
    expect(await written()).toEqual([
      {
        sequence: 1,
        at: new Date(Date.UTC(2026, 10, 3)),
        actor: 'anonymous',
        action: 'authentication',
        resource: 'GET /scim/v2/Users/:id',
        result: 'denied',
        detail: { reason: 'expired', remoteAddress: '192.0.2.1' },
      },
    ]);
  });

  it('writes who was forbidden something', async () => {
    const principal = { kind: 'admin', actor: 'ann', scopes: [], namespaces: '*' } as const;
    recorder.refused(new ForbiddenError('this operation needs the scope "read"', 'read'), request({ principal }));
    await recorder.flush();
    expect(await written()).toEqual([expect.objectContaining({ actor: 'ann', action: 'authorization' })]);
  });

  it('writes a flood from one address as two events a minute', async () => {
    for (let attempt = 0; attempt < 10_000; attempt++) {
      recorder.refused(new UnauthenticatedError('invalid'), request());
    }
    await jest.advanceTimersByTimeAsync(61_000);
    const events = await written();
    expect(events.map(({ detail }) => detail?.['repeats'])).toEqual([undefined, 9999]);
  });

  it('tries again what could not be written', async () => {
    const append = jest.spyOn(store.audit, 'append').mockRejectedValueOnce(new StoreUnavailableError(1));
    recorder.refused(new UnauthenticatedError('invalid'), request());
    await jest.advanceTimersByTimeAsync(1000);
    expect(await written()).toEqual([]);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await written()).toHaveLength(1);
    expect(append).toHaveBeenCalledTimes(2);
  });

  it('keeps the latest 1000 events while the store is away', async () => {
    const append = jest.spyOn(store.audit, 'append').mockRejectedValue(new StoreUnavailableError(1));
    for (let minute = 0; minute < 3; minute++) {
      for (let attempt = 0; attempt < 600; attempt++) {
        recorder.record({ actor: `actor-${minute}-${attempt}`, action: 'binding.add', resource: 'namespace:x' });
      }
      await jest.advanceTimersByTimeAsync(61_000);
    }
    append.mockRestore();
    await jest.advanceTimersByTimeAsync(1000);
    const events = await written();
    expect([events.length, events.at(0)?.actor, events.at(-1)?.actor]).toEqual([1000, 'actor-1-200', 'actor-2-599']);
  });

  it('writes what is pending at the end', async () => {
    recorder.refused(new UnauthenticatedError('invalid'), request());
    recorder.refused(new UnauthenticatedError('invalid'), request());
    await recorder.onApplicationShutdown();
    expect(await written()).toHaveLength(2);
  });
});
