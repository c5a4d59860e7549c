import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parseProviderId, ResourceNotFoundError, StoreUnavailableError } from '@palisade/domain';
import {
  BackendUnavailableError,
  PoolClosedError,
  PoolExhaustedError,
  type PoolSnapshot,
  PoolTimeoutError,
} from '@palisade/isolation/postgres';
import { DatabaseError } from 'pg';
import { isTransactionConflict, toProviderBusy, toStoreError, violatedConstraint } from './store-error.js';

function databaseError(code: string, constraint?: string): DatabaseError {
  return Object.assign(new DatabaseError('failed', 6, 'error'), { code, constraint });
}

describe(toStoreError.name, () => {
  it.each([
    ['08006', 2],
    ['25P03', 1],
    ['25006', 2],
    ['28P01', 5],
    ['3D000', 5],
    ['40001', 1],
    ['40P01', 1],
    ['53100', 2],
    ['53300', 2],
    ['57014', 5],
    ['57P01', 2],
    ['57P03', 2],
    ['58030', 5],
  ])('takes SQLSTATE %s for the store being unavailable', (code, retryAfterSeconds) => {
    const cause = databaseError(code);
    const error = toStoreError(cause);

    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error).toMatchObject({ retryAfterSeconds, cause });
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'])(
    'takes the network error %s for the store being unavailable',
    (code) => {
      expect(toStoreError(Object.assign(new Error('connect'), { code }))).toBeInstanceOf(StoreUnavailableError);
    },
  );

  it.each(['Connection terminated unexpectedly', 'Client has encountered a connection error and is not queryable'])(
    'takes the driver error "%s" for the store being unavailable',
    (message) => {
      expect(toStoreError(new Error(message))).toBeInstanceOf(StoreUnavailableError);
    },
  );

  it.each([
    [new PoolExhaustedError('postgres/p1', 'namespaces', 10), 1],
    [new PoolClosedError('postgres', 'draining'), 5],
    [new BackendUnavailableError('postgres', 3, 2_000), 2],
    [new BackendUnavailableError('postgres', 1, 100, { cause: databaseError('28P01') }), 5],
  ])('takes %s for the store being unavailable', (cause, retryAfterSeconds) => {
    expect(toStoreError(cause)).toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfterSeconds, cause });
  });

  it.each([
    ['a statement that is wrong', databaseError('42601')],
    ['a violated constraint', databaseError('23505')],
    ['a rejection', new ResourceNotFoundError(parseProviderId('p1'), 'User', 'u1')],
    ['any other error', new Error('boom')],
    ['what is no error', 'boom'],
  ])('leaves %s as it is', (_, error) => {
    expect(toStoreError(error)).toBe(error);
  });
});

describe(isTransactionConflict.name, () => {
  it('holds for what succeeds when repeated', () => {
    expect(isTransactionConflict(databaseError('40001'))).toBe(true);
    expect(isTransactionConflict(databaseError('40P01'))).toBe(true);
    expect(isTransactionConflict(databaseError('23505'))).toBe(false);
    expect(isTransactionConflict(new Error('40001'))).toBe(false);
  });
});

describe(violatedConstraint.name, () => {
  it('names a unique constraint, and no other', () => {
    expect(violatedConstraint(databaseError('23505', 'resources_pkey'))).toBe('resources_pkey');
    expect(violatedConstraint(databaseError('23514', 'resources_check'))).toBeUndefined();
  });
});

const P1 = parseProviderId('p1');

function snapshot(active: number, max: number): PoolSnapshot {
  const counts = { active, max, reserved: 0, weight: 1, idle: 0, opening: 0, closing: 0, queued: 7, failures: 0 };
  return {
    name: 'postgres/p1',
    namespace: parseNamespaceId('p1'),
    ...counts,
    counters: {} as PoolSnapshot['counters'],
  };
}

describe(toProviderBusy.name, () => {
  it('blames the provider for operations that fill its queue', () => {
    const cause = new PoolExhaustedError('postgres/p1', 'queued', 200);
    expect(toProviderBusy(cause, P1)).toMatchObject({ code: 'PROVIDER_BUSY', provider: P1, queued: 200, cause });
  });

  it('blames the provider for a wait while it had all the connections that it may have', () => {
    expect(toProviderBusy(new PoolTimeoutError(snapshot(5, 5), 30_000), P1)).toMatchObject({ queued: 7 });
  });

  it.each([
    ['a wait for connections that others had', new PoolTimeoutError(snapshot(4, 5), 30_000)],
    ['too many providers', new PoolExhaustedError('postgres', 'namespaces', 1000)],
    ['any other error', new Error('boom')],
  ])('does not blame it for %s', (_, error) => {
    expect(toProviderBusy(error, P1)).toBeUndefined();
  });
});
