import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { type ConnectionDriver, NamespaceRejectedError } from '@palisade/isolation';
import { Registry } from 'prom-client';
import { ClientGoneError } from '../http/call.js';
import { BackendWatch } from './backend-watch.js';

const ACME = parseNamespaceId('acme');
const REFUSED = Object.assign(new Error('connect ECONNREFUSED 10.0.0.3:6379'), { code: 'ECONNREFUSED' });

describe(BackendWatch.name, () => {
  const logger = { log: jest.fn(), warn: jest.fn() };
  let failure: unknown;
  let watch: BackendWatch;
  let driver: ConnectionDriver<unknown>;

  beforeEach(() => {
    logger.log.mockClear();
    logger.warn.mockClear();
    failure = undefined;
    watch = new BackendWatch(logger);
    driver = {
      connect: () => (failure === undefined ? Promise.resolve({}) : Promise.reject(failure)),
      isUsable: () => true,
      close: () => Promise.resolve(),
    };
    watch.observe('redis', driver);
  });

  const tryWith = async (error: unknown, signal = new AbortController().signal): Promise<void> => {
    failure = error;
    await driver.connect(ACME, signal).catch((thrown: unknown) => expect(thrown).toBe(error));
  };

  it('warns once per outage, with what the driver says, and says once that it is over', async () => {
    for (const error of [undefined, REFUSED, REFUSED, undefined, undefined]) {
      await tryWith(error);
    }
    expect(logger.warn.mock.calls).toEqual([
      ['redis is unreachable: connect ECONNREFUSED 10.0.0.3:6379 (ECONNREFUSED)', 'Backends'],
    ]);
    expect(logger.log.mock.calls).toEqual([['redis is reachable again', 'Backends']]);
  });

  it.each([
    ['ECONNREFUSED', new AggregateError([REFUSED, REFUSED])],
    ['ECONNREFUSED', new Error('cannot connect', { cause: REFUSED })],
    ['TIMEOUT', new Error('no connection within 5000 ms')],
    ['FAILED', new Error('something else')],
  ])('tells the cause %s', async (cause, error) => {
    await tryWith(error);
    expect([...watch.causes]).toEqual([['redis', cause]]);
    const registry = new Registry();
    watch.registerMetrics(registry);
    expect(await registry.metrics()).toContain(`data_proxy_backend_unreachable{backend="redis",cause="${cause}"} 1`);
    await tryWith(undefined);
    expect(await registry.metrics()).not.toContain('backend="redis"');
  });

  it('logs no password', async () => {
    await tryWith(new Error('cannot reach redis://proxy:secret@10.0.0.3'));
    expect(JSON.stringify(logger.warn.mock.calls)).not.toContain('secret');
  });

  it('takes neither a rejected login nor a client that has gone for an outage', async () => {
    await tryWith(new NamespaceRejectedError(ACME, { cause: new Error('WRONGPASS') }));
    await tryWith(REFUSED, AbortSignal.abort(new ClientGoneError()));
    expect(watch.causes.size).toBe(0);
  });
});
