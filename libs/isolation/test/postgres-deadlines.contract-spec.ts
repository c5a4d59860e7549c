import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { PostgresDriver, type PostgresDriverOptions } from '../src/backends/postgres/postgres-driver.js';
import { ServerObserver } from './support/postgres-server.js';
import { Wire } from './support/wire.js';
import { WorkContext } from './support/work-context.js';

const ACME = parseNamespaceId('acme');
const { signal: NEVER } = new AbortController();

let server: ServerObserver;

beforeAll(async () => {
  server = await ServerObserver.connect();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function begin(options: Partial<PostgresDriverOptions>) {
  const driver = new PostgresDriver({ config: server.config, separation: { type: 'physical' }, ...options });
  const client = await driver.connect(ACME, NEVER);
  return { driver, client, postgres: driver.scope(client, ACME, new WorkContext()) };
}

describe(`${PostgresDriver.name}: deadlines`, () => {
  it('gives a connection up whose path is dead, and says that the backend does not answer', async () => {
    await using wire = await Wire.open(server.config.port ?? 0);
    const config = { ...server.config, host: '127.0.0.1', port: wire.port };
    const { driver, client, postgres } = await begin({ config, statementTimeoutMs: 100, answerMarginMs: 100 });
    await postgres.query('select 1', []);
    wire.stop();
    await expect(postgres.query('select 1', [])).rejects.toMatchObject({ code: 'BACKEND_TIMEOUT', waitedMs: 200 });
    expect(driver.isUsable(client)).toBe(false);
    await driver.close(client);
  });

  it('has the server end a statement that takes too long, and keeps the connection', async () => {
    const { driver, client, postgres } = await begin({ statementTimeoutMs: 100 });
    await expect(postgres.query('select pg_sleep(60)', [])).rejects.toMatchObject({ code: '57014' });
    await expect(postgres.query('select 1 as one', [])).resolves.toMatchObject({ rows: [{ one: 1 }] });
    await driver.close(client);
  });

  it('ends a statement whose SQL has lifted the limit of the server', async () => {
    const { driver, client, postgres } = await begin({ statementTimeoutMs: 100, answerMarginMs: 100 });
    await postgres.query("select set_config('statement_timeout', '0', false)", []);
    await expect(postgres.query('select pg_sleep(60)', [])).rejects.toMatchObject({ code: 'BACKEND_TIMEOUT' });
    expect(driver.isUsable(client)).toBe(false);
    await driver.close(client);
    await server.waitForNone(5_000);
  });

  it('waits for locks of others no longer than it is told', async () => {
    const [holder, waiter] = [await begin({}), await begin({ lockTimeoutMs: 100 })];
    await holder.postgres.begin();
    await holder.postgres.query('lock table pg_catalog.pg_shdescription in access share mode', []);
    const locking = waiter.postgres.query('lock table pg_catalog.pg_shdescription in access exclusive mode', []);
    await expect(locking).rejects.toMatchObject({ code: '55P03' });
    await Promise.all([holder, waiter].map(({ driver, client }) => driver.close(client)));
  });

  it('limits statements and locks by default where tenants work', async () => {
    const { driver, client, postgres } = await begin({});
    const limits = "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock";
    await expect(postgres.query(limits, [])).resolves.toMatchObject({ rows: [{ statement: '30s', lock: '5s' }] });
    await driver.close(client);
  });
});
