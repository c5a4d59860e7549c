import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../libs/storage/test/scratch-database.js';
import { Relay } from '../libs/storage/test/support/relay.js';
import { bulkRequest, user } from './support/scim-bodies.js';
import { ServiceProcess } from './support/service-process.js';
import { SCIM_HEADERS, SERVICES, environmentOf, untilRejected } from './support/services-under-test.js';
import { KeepAliveClient } from './support/traffic/keep-alive-client.js';
import { UnfinishedRequest } from './support/traffic/unfinished-request.js';

const MINUTE_MS = 60_000;

describe.each(SERVICES)('%s on SIGTERM', (name, { create }) => {
  let services: AsyncDisposableStack;

  beforeEach(() => {
    services = new AsyncDisposableStack();
  });
  afterEach(() => services.disposeAsync());

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const service = await ServiceProcess.spawn(name, { ...environmentOf(name, 'memory:'), ...environment });
    services.use(service);
    await service.untilReadiness(200);
    return service;
  }

  it(
    'fails readiness first, and goes on answering for the delay, on connections that end with the answer',
    async () => {
      const service = await start({ SVC_SHUTDOWN_DELAY: '5m' });
      const client = new KeepAliveClient(service.origin);
      expect((await client.send(create('before'))).headers.connection).toBe('keep-alive');
      service.signal('SIGTERM');
      await service.untilReadiness(503);
      for (const object of ['on-the-old-connection', 'on-a-new-connection']) {
        const { status, headers } = await client.send(create(object));
        expect([status, headers.connection]).toEqual([201, 'close']);
        expect(await client.isConnected()).toBe(false);
      }
      client.close();
    },
    MINUTE_MS,
  );

  it(
    'lets requests finish that are under way, and is not moved by a second signal',
    async () => {
      const service = await start();
      const request = await UnfinishedRequest.begin(service.origin, create('slow'));
      service.signal('SIGTERM');
      await untilRejected(service);
      service.signal('SIGTERM');
      expect(await request.finish()).toMatchObject({ status: 201, headers: { connection: 'close' } });
      expect(await service.exit).toEqual({ code: 0, signal: null });
    },
    MINUTE_MS,
  );

  it(
    'cuts what takes longer than the grace, says so, and ends with 0',
    async () => {
      const service = await start({ SVC_SHUTDOWN_GRACE: '1s' });
      const request = await UnfinishedRequest.begin(service.origin, create('endless'));
      service.signal('SIGTERM');
      await expect(request.wait()).rejects.toThrow('socket hang up');
      expect(await service.exit).toEqual({ code: 0, signal: null });
      expect(service.output).toContain('requests still under way after 1000 ms are cut off');
    },
    MINUTE_MS,
  );

  it(
    'ends with 0 while its database is unreachable',
    async () => {
      const service = await ServiceProcess.spawn(
        name,
        environmentOf(name, 'postgres://palisade:secret@127.0.0.1:1/palisade'),
      );
      services.use(service);
      await service.untilReadiness(503);
      expect(await service.end('SIGTERM')).toBe(0);
    },
    MINUTE_MS,
  );

  it(
    'ends with 0 after the grace while its database hangs, and says what was cut off',
    async () => {
      await using database = await createOwnDatabase();
      await using relay = await Relay.start(database.url);
      const service = await ServiceProcess.spawn(name, {
        ...environmentOf(name, relay.url),
        SVC_SHUTDOWN_GRACE: '1s',
      });
      services.use(service);
      await service.untilReadiness(200);
      relay.freeze();
      await service.untilReadiness(503);
      service.signal('SIGTERM');
      const startedAt = performance.now();
      expect(await service.exit).toEqual({ code: 0, signal: null });
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      expect(service.output).toMatch(/\d+ operations of the store were still under way and have been cut off/);
    },
    2 * MINUTE_MS,
  );
});

async function createOwnDatabase(): Promise<ScratchDatabase & AsyncDisposable> {
  const database = await createScratchDatabase();
  return { ...database, [Symbol.asyncDispose]: () => database.drop() };
}

it(
  'scim-service lets a bulk request finish that is under way',
  async () => {
    await using service = await ServiceProcess.spawn('scim-service', environmentOf('scim-service', 'memory:'));
    await service.untilReadiness(200);
    const operations = Array.from({ length: 100 }, (_, at) => {
      return {
        method: 'POST',
        path: '/Users',
        bulkId: `${at}`,
        data: user({ userName: `bulk-${at}`, externalId: `bulk-${at}` }),
      };
    });
    const body = bulkRequest(operations);
    const bulk = { method: 'POST', path: '/scim/v2/Bulk', headers: SCIM_HEADERS, body } as const;
    const request = await UnfinishedRequest.begin(service.origin, bulk);
    service.signal('SIGTERM');
    await untilRejected(service);
    const { status, text } = await request.finish();
    expect(status).toBe(200);
    expect(JSON.parse(text).Operations.map((each: { readonly status: string }) => each.status)).toEqual(
      operations.map(() => '201'),
    );
    expect(await service.exit).toEqual({ code: 0, signal: null });
  },
  MINUTE_MS,
);
