import { describe, expect, it } from '@jest/globals';
import { untilRejected } from '../../../test/support/services-under-test.js';
import { ConstantTraffic, summarize, type Exchange } from '../../../test/support/traffic/constant-traffic.js';
import { KeepAliveClient, type ClientRequest } from '../../../test/support/traffic/keep-alive-client.js';
import { until } from '../../../test/support/until.js';
import { CLIENT_HEADERS, ProxySite, query } from './support/proxy-site.js';

const TWO_MINUTES_MS = 120_000;
const LANES = 4;
const CONNECTIONS = 2;
/** More than there are connections. */
const REQUESTS = 5;

const POOLED = {
  isolation_level: 'namespace',
  connection_pools: {
    postgres: { connections_per_namespace: CONNECTIONS, max_total_connections: CONNECTIONS, acquire_timeout: '60s' },
    redis: { connections_per_namespace: CONNECTIONS, max_total_connections: CONNECTIONS, acquire_timeout: '60s' },
  },
};

const PER_SESSION = {
  isolation_level: 'session',
  connection_pools: { postgres: { max_connections: 20 }, redis: { max_connections: 20 } },
  session_management: { max_sessions: 20, drain_timeout: '60s' },
  audit: { log_session_lifecycle: true, log_connection_lifecycle: true },
};

const LIST = query('notes.list', { limit: 1 });

const hasFailed = ({ answer }: Exchange): boolean => answer === undefined || answer.status >= 300;
const isInsert = ({ request }: Exchange): boolean => request.path === '/v1/queries/notes.insert';
const isFrom =
  (origin: string) =>
  (exchange: Exchange): boolean =>
    exchange.origin === origin;

const REQUEST_KINDS: readonly ((lane: number) => ClientRequest)[] = [
  (lane) => query('notes.insert', { title: `of client ${lane}`, body: '' }),
  () => LIST,
  (lane) => ({ method: 'PUT', path: `/v1/kv/key-${lane}`, headers: CLIENT_HEADERS, body: { lane } }),
];

async function openSessions(origin: string, count: number): Promise<string[]> {
  const client = new KeepAliveClient(origin);
  const ids: string[] = [];
  while (ids.length < count) {
    const { status, text } = await client.send({ method: 'POST', path: '/v1/sessions', headers: CLIENT_HEADERS });
    expect(status).toBe(201);
    ids.push((JSON.parse(text) as { readonly id: string }).id);
  }
  client.close();
  return ids;
}

describe('the data proxy on SIGTERM, with pools', () => {
  it(
    'drops no request of clients that keep their connections, loses no row, gives all connections back and ends with 0',
    async () => {
      await using leaving = await ProxySite.start(POOLED);
      await using staying = await ProxySite.start(POOLED);
      const origins = [leaving, staying].map(({ proxy }) => proxy.origin);
      await using traffic = new ConstantTraffic(origins, LANES, (lane, at) => {
        return REQUEST_KINDS[at % REQUEST_KINDS.length]?.(lane) ?? LIST;
      });
      await traffic.untilMore(100, isFrom(leaving.proxy.origin));
      expect(await leaving.countConnections()).toBeGreaterThan(0);
      expect(await leaving.proxy.service.end('SIGTERM')).toBe(0);
      await traffic.untilMore(50, isFrom(staying.proxy.origin));
      await traffic.stop();
      expect(summarize(traffic.exchanges.filter(hasFailed))).toEqual([]);
      const inserts = traffic.exchanges.filter(isFrom(leaving.proxy.origin)).filter(isInsert);
      expect(await leaving.database.countNotes()).toEqual({ acme: inserts.length });
      await until(async () => (await leaving.countConnections()) === 0);
    },
    TWO_MINUTES_MS,
  );

  it(
    'answers what is under way and what waits for a connection',
    async () => {
      await using site = await ProxySite.start(POOLED);
      const { service } = site.proxy;
      const clients = Array.from({ length: REQUESTS }, () => new KeepAliveClient(service.origin));
      const unlock = await site.lockNotes();
      const answers = clients.map((client) => client.send(LIST));
      await until(async () => (await site.countWaiting()) === CONNECTIONS);
      service.signal('SIGTERM');
      await untilRejected(service);
      await unlock();
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses).toEqual(answers.map(() => 200));
      expect(await service.exit).toEqual({ code: 0, signal: null });
    },
    TWO_MINUTES_MS,
  );

  it(
    'leaves nothing behind on the server of what it cuts off after the grace',
    async () => {
      await using site = await ProxySite.start(POOLED, { SVC_SHUTDOWN_GRACE: '1s' });
      const { service } = site.proxy;
      const unlock = await site.lockNotes();
      const client = new KeepAliveClient(service.origin);
      const rejected = expect(client.send(LIST)).rejects.toThrow('socket hang up');
      await until(async () => (await site.countWaiting()) === 1);
      service.signal('SIGTERM');
      await rejected;
      expect(await service.exit).toEqual({ code: 0, signal: null });
      // The table is still locked: without being told, the server would go on waiting for it.
      await until(async () => (await site.countConnections()) === 0);
      await unlock();
    },
    TWO_MINUTES_MS,
  );
});

describe('the data proxy on SIGTERM, with sessions', () => {
  it(
    'drops no request of clients that keep their connections, and ends each session once, on the record',
    async () => {
      await using leaving = await ProxySite.start(PER_SESSION);
      await using staying = await ProxySite.start(PER_SESSION);
      const [own, other] = [leaving.proxy.origin, staying.proxy.origin];
      const sessions = await openSessions(own, LANES);
      await using traffic = new ConstantTraffic([own, other], LANES, (lane) =>
        query('notes.list', { limit: 1 }, { 'x-palisade-session': sessions[lane] ?? '' }),
      );
      await traffic.untilMore(100, isFrom(own));
      expect(await leaving.proxy.service.end('SIGTERM')).toBe(0);
      // The other one does not know these sessions, and says so.
      await traffic.untilMore(LANES, isFrom(other));
      await traffic.stop();
      expect(summarize(traffic.exchanges.filter(({ answer }) => answer === undefined))).toEqual([]);
      expect(summarize(traffic.exchanges.filter(isFrom(own)).filter(hasFailed))).toEqual([]);
      for (const session of sessions) {
        expect(leaving.proxy.eventsOf(session).toSorted()).toEqual([
          'connection_closed',
          'connection_closed',
          'connection_established',
          'connection_established',
          'session_created',
          'session_destroyed shutdown',
        ]);
      }
      await until(async () => (await leaving.countConnections()) === 0);
    },
    TWO_MINUTES_MS,
  );

  it(
    'answers what is under way in a session, and undoes what was not committed',
    async () => {
      await using site = await ProxySite.start(PER_SESSION);
      const { service } = site.proxy;
      const [session = ''] = await openSessions(service.origin, 1);
      const client = new KeepAliveClient(service.origin);
      const headers = { ...CLIENT_HEADERS, 'x-palisade-session': session };
      expect((await client.send({ method: 'POST', path: '/v1/transaction', headers })).status).toBe(204);
      const unlock = await site.lockNotes();
      const insert = client.send(query('notes.insert', { title: 'draft', body: '' }, headers));
      await until(async () => (await site.countWaiting()) === 1);
      service.signal('SIGTERM');
      await untilRejected(service);
      await unlock();
      expect((await insert).status).toBe(200);
      expect(await service.exit).toEqual({ code: 0, signal: null });
      await until(async () => (await site.countConnections()) === 0);
      expect(await site.database.countNotes()).toEqual({});
    },
    TWO_MINUTES_MS,
  );
});
