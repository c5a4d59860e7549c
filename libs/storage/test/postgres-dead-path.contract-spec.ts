import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError, parseProviderId } from '@palisade/domain';
import { sql } from 'kysely';
import { Database, type Connections } from '../src/postgres/connection/database.js';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { Relay } from './support/relay.js';

const PROVIDER = parseProviderId('p1');

async function ask(connections: Connections): Promise<void> {
  await connections.run((connection) => sql`select 1`.execute(connection));
}

/** Packets of open connections are lost without any error, as after a failover by name; new connections work. */
describe('a dead path to the database', () => {
  let scratch: ScratchDatabase;
  let relay: Relay;

  beforeAll(async () => {
    scratch = await createScratchDatabase();
    const store = new PostgresStore(scratch.url);
    await store.migrate();
    await store.close();
  });

  beforeEach(async () => {
    relay = await Relay.start(scratch.url);
  });

  afterEach(async () => {
    await relay[Symbol.asyncDispose]();
  });

  afterAll(async () => {
    await scratch.drop();
  });

  it('ends an operation soon after the statement timeout, and the next one works on another connection', async () => {
    const database = new Database(relay.url, { statementTimeoutMs: 100, maxConnections: 1 });
    await ask(database);
    relay.freezeConnections();
    const startedAt = performance.now();

    await expect(ask(database)).rejects.toThrow(StoreUnavailableError);
    expect(performance.now() - startedAt).toBeLessThan(4000);
    await expect(ask(database)).resolves.toBeUndefined();
    await database.close();
  });

  it('is not taken for the load of the provider whose connections hang', async () => {
    const database = new Database(relay.url, {
      statementTimeoutMs: 1000,
      maxConnections: 2,
      connectionsPerProvider: 1,
      maxQueued: 1,
      acquireTimeoutMs: 1000,
    });
    const own = database.of(PROVIDER);
    await ask(own);
    relay.freezeConnections();
    const hanging = ask(own).catch((error: unknown) => error);
    const waiting = ask(own).catch((error: unknown) => error);

    expect(await waiting).toBeInstanceOf(StoreUnavailableError);
    expect(await hanging).toBeInstanceOf(StoreUnavailableError);
    await database.close();
  });

  it('makes the store unready while most of its connections hang', async () => {
    const store = new PostgresStore(relay.url, {
      statementTimeoutMs: 1000,
      isolationLevel: 'none',
      maxConnections: 3,
      acquireTimeoutMs: 1000,
    });
    const find = (): Promise<unknown> => store.directory.find(PROVIDER, 'User', 'u1');
    while ((store.connections()?.idle ?? 0) < 2) {
      await Promise.all([find(), find()]);
    }
    await store.check();
    relay.freezeConnections();
    const hanging = Promise.allSettled([find(), find()]);
    await new Promise((resolve) => {
      setTimeout(resolve, 700);
    });

    await expect(store.check()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      cause: { message: expect.stringMatching(/2 of 3 connections/) },
    });
    await hanging;
    await store.check();
    await store.close();
  });

  it('does not keep the store from closing: what is under way when the grace ends is cut off', async () => {
    const database = new Database(relay.url, { statementTimeoutMs: 60_000 });
    await ask(database);
    relay.freezeConnections();
    const hanging = ask(database).catch((error: unknown) => error);
    const startedAt = performance.now();

    expect(await database.close(200)).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(await hanging).toBeInstanceOf(StoreUnavailableError);
  });

  it('lets a later call shorten the grace of an earlier one', async () => {
    const database = new Database(relay.url, { statementTimeoutMs: 60_000 });
    await ask(database);
    relay.freezeConnections();
    const hanging = ask(database).catch((error: unknown) => error);
    const closed = database.close(60_000);

    expect(await database.close(0)).toBe(1);
    expect(await closed).toBe(1);
    await hanging;
  });
});
