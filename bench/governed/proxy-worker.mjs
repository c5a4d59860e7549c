/**
 * A proxy as somebody might write one: it embeds the isolation library, is governed by a control plane, and does work on
 * PostgreSQL. What a measure wants of it comes as `POST /<command>`.
 */
import 'reflect-metadata';
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import {
  AccessDecisions,
  GovernedProxy,
  Isolation,
  IsolationModule,
  IsolationPolicy,
  IsolationSessions,
} from '../../dist/libs/isolation/src/index.js';
import { PostgresDriver } from '../../dist/libs/isolation/src/postgres.js';

const { id, pool, port, url, token, copyFile, databaseUrl, settings } = JSON.parse(process.env.BENCH_PROXY ?? '');
const POLL_MS = 10;
/** Users whose sessions are opened at the same time. */
const PARALLEL_USERS = 8;
/** What work comes to whose level has changed since it was looked at; then a session may be missing, or be one too many. */
const LEVEL_CHANGED = new Set(['SESSION_REQUIRED', 'ISOLATION_LEVEL', 'SESSION_NOT_FOUND', 'SESSION_ENDED']);
const ASK_AGAIN_MS = 250;
const DECISIONS = 20_000;
const REQUESTS = 500;
/** How long one of two pieces of work waits for the other. */
const MEETING_MS = 100;

/** Who has used a connection, and whose alone it has to be. @type {WeakMap<object, { users: Set<string>, owner?: string }>} */
const uses = new WeakMap();
/** The connection behind a client. @type {WeakMap<object, object>} */
const connections = new WeakMap();

/** Lets each piece of work know which connection it was given. */
class ObservedDriver extends PostgresDriver {
  /** @param {any} connection @param {any} namespace @param {any} context */
  scope(connection, namespace, context) {
    const client = super.scope(connection, namespace, context);
    connections.set(client, connection);
    return client;
  }
}

const driver = new ObservedDriver({
  config: { connectionString: databaseUrl, application_name: `proxy-${id}` },
  // Everybody has the same tables: what is measured is who gets which connection when.
  separation: { type: 'physical' },
});
const startedAtNs = process.hrtime.bigint();
const app = await NestFactory.createApplicationContext(
  IsolationModule.forRoot({
    settings,
    backends: { postgres: driver },
    controlPlane: {
      urls: [url],
      token,
      proxy: { id, pool, host: '127.0.0.1', port },
      copyFile,
      decidesAccess: true,
    },
  }),
  { logger: ['error', 'warn'] },
);
const governedAtNs = process.hrtime.bigint();
app.enableShutdownHooks();
const isolation = app.get(Isolation);
const policy = app.get(IsolationPolicy);
const sessions = app.get(IsolationSessions);
const access = app.get(AccessDecisions);

/** @param {string} namespace @param {(client: any) => Promise<any>} work @param {object} [more] of the caller */
function run(namespace, work, more = {}) {
  return isolation.run({ namespace, clientId: 'bench', ...more }, 'postgres', ObservedDriver, work);
}

/**
 * What one sees of the terms of a namespace from outside, and when that was so.
 *
 * @type {Record<string, (namespace: string) => Promise<{ seen: string, atNs: bigint }>>}
 */
const OBSERVE = {
  /** Whether work without a session is done. */
  async level(namespace) {
    let seen = 'open';
    try {
      await run(namespace, (client) => client.query('select 1', []));
    } catch (error) {
      seen = error.code;
    }
    return { seen, atNs: process.hrtime.bigint() };
  },
  /** Whether two pieces of work are done at the same time. That they are not is so from when both were asked for. */
  async limit(namespace) {
    const askedAtNs = process.hrtime.bigint();
    const met = Promise.withResolvers();
    let running = 0;
    const work = async () => {
      running += 1;
      if (running === 2) {
        met.resolve(process.hrtime.bigint());
      }
      await Promise.race([met.promise, sleep(MEETING_MS)]);
      running -= 1;
    };
    await Promise.all([run(namespace, work), run(namespace, work)]);
    const metAtNs = await Promise.race([met.promise, undefined]);
    return metAtNs === undefined ? { seen: 'one', atNs: askedAtNs } : { seen: 'several', atNs: metAtNs };
  },
};

/** @type {Record<string, (parameters: any) => unknown>} */
const COMMANDS = {
  /** When something comes to be seen. */
  async watch({ namespace, aspect, expected, withinMs }) {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const { seen, atNs } = await OBSERVE[aspect](namespace);
      if (seen === expected) {
        return String(atNs);
      }
      if (performance.now() > deadline) {
        throw new Error(`saw ${seen} instead of ${expected} of ${namespace} for ${withinMs} ms`);
      }
      await sleep(POLL_MS);
    }
  },
  /** How long the start took until the policy was in force. */
  started: () => ({ governedMs: Number(governedAtNs - startedAtNs) / 1e6, tenants: policy.tenants }),
  /** What is in use after everything else was collected. */
  async memory() {
    for (let time = 0; time < 3; time += 1) {
      globalThis.gc?.();
      await sleep(50);
    }
    const { heapUsed, external } = process.memoryUsage();
    return { bytes: heapUsed + external, tenants: policy.tenants };
  },
  /** Opens so many sessions for each user; the server's processes behind their connections. */
  async open({ namespace, users, withinMs }) {
    const waiting = Object.entries(users);
    /** @type {Record<string, number[]>} */
    const pids = {};
    const work = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [user, count] = next;
        pids[user] = [];
        for (let session = 0; session < count; session += 1) {
          pids[user].push((await untilAllowed(() => openSession(namespace, user), withinMs)).pid);
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_USERS }, work));
    return pids;
  },
  /** What a decision takes that is known, and a request that needs one, in microseconds. */
  async decide({ namespace, user }) {
    const { session, caller } = await openSession(namespace, user);
    const question = { ...caller.access, namespace };
    const decision = await timed(DECISIONS, () => access.require(question));
    const request = await timed(REQUESTS, () =>
      run(namespace, (client) => client.query('select 1', []), { ...caller, session: session.id }),
    );
    await sessions.manager.end(session.id, caller);
    return { decision, request };
  },
  state: () => app.get(GovernedProxy).snapshot(),
};

/** By namespace. @type {Map<string, Promise<any>>} */
const opened = new Map();
const REQUEST_CALLER = { clientId: 'requests' };

/**
 * Does a request of a namespace at whatever level is in force: in the namespace's session, or without one. It begins again
 * when it was rejected because the level has changed since.
 *
 * @param {string} namespace
 * @returns {Promise<{ status: number, body: object }>}
 */
async function serve(namespace) {
  for (;;) {
    try {
      const isSession = policy.termsOf(namespace).level === 'session';
      const isWeaker = await (isSession ? serveInSession(namespace) : serveWithout(namespace));
      return { status: 200, body: { pool, isWeaker } };
    } catch (error) {
      if (!LEVEL_CHANGED.has(error.code)) {
        const status = error.code === 'NAMESPACE_NOT_SERVED' ? 421 : 503;
        return { status, body: { pool, code: error.code ?? String(error) } };
      }
    }
  }
}

/** @param {string} namespace */
async function serveInSession(namespace) {
  let opening = opened.get(namespace);
  if (opening === undefined) {
    opening = sessions.open({ ...REQUEST_CALLER, namespace });
    opened.set(namespace, opening);
  }
  try {
    const { id: session } = await opening;
    return await request(namespace, `${namespace}/${session}`, { ...REQUEST_CALLER, session });
  } catch (error) {
    if (opened.get(namespace) === opening) {
      opened.delete(namespace);
    }
    throw error;
  }
}

/** @param {string} namespace */
async function serveWithout(namespace) {
  const opening = opened.get(namespace);
  if (opening !== undefined) {
    opened.delete(namespace);
    // It may have ended already.
    opening.then(({ id: session }) => sessions.manager.end(session, { ...REQUEST_CALLER, namespace })).catch(() => {});
  }
  return request(namespace, namespace, REQUEST_CALLER);
}

/**
 * Does a statement, and says whether somebody else has used, or may use, the connection although the level at the beginning
 * does not allow it.
 *
 * @param {string} namespace @param {string} user the namespace, or its session @param {object} caller
 */
function request(namespace, user, caller) {
  const { level } = policy.termsOf(namespace);
  return run(
    namespace,
    async (client) => {
      const connection = /** @type {object} */ (connections.get(client));
      const known = uses.get(connection) ?? { users: new Set() };
      uses.set(connection, known);
      known.users.add(user);
      const isTaken = known.owner !== undefined && known.owner !== user;
      if (level !== 'none') {
        known.owner ??= user;
      }
      await client.query('select 1', []);
      const isShared = level !== 'none' && known.users.size > 1;
      const isOutsideSession = level === 'session' && user === namespace;
      return isTaken || isShared || isOutsideSession;
    },
    caller,
  );
}

/** @param {string} namespace @param {string} user */
async function openSession(namespace, user) {
  const caller = { namespace, clientId: user, access: { user, relation: 'write' } };
  const session = await sessions.open(caller);
  const { rows } = await run(namespace, (client) => client.query('select pg_backend_pid() as pid', []), {
    ...caller,
    session: session.id,
  });
  return { caller, session, pid: rows[0].pid };
}

/** @template T @param {() => Promise<T>} work @param {number} withinMs @returns {Promise<T>} */
async function untilAllowed(work, withinMs) {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline || !['ACCESS_DENIED', 'ACCESS_UNKNOWN'].includes(error.code)) {
        throw error;
      }
      await sleep(ASK_AGAIN_MS);
    }
  }
}

/** Microseconds of one. @param {number} times @param {() => Promise<unknown>} work */
async function timed(times, work) {
  const startedAt = performance.now();
  for (let time = 0; time < times; time += 1) {
    await work();
  }
  return ((performance.now() - startedAt) * 1000) / times;
}

const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
  answer(incoming).then(
    ({ status = 200, body }) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body ?? null)),
    (error) => response.writeHead(500).end(String(error?.stack ?? error)),
  );
});

/** @param {import('node:http').IncomingMessage} incoming @returns {Promise<{ status?: number, body?: unknown }>} */
async function answer(incoming) {
  const command = COMMANDS[(incoming.url ?? '').slice(1)];
  if (incoming.method === 'POST' && command !== undefined) {
    return { body: await command(JSON.parse(await text(incoming))) };
  }
  const namespace = incoming.headers['x-palisade-namespace'];
  if (typeof namespace === 'string') {
    return serve(namespace);
  }
  return { status: policy.revision === undefined ? 503 : 200 };
}

server.listen(port, '127.0.0.1');
process.once('SIGTERM', () => server.close().closeAllConnections());
