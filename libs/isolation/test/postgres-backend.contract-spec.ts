import type { Client } from 'pg';
import { PostgresDriver } from '../src/backends/postgres/postgres-driver.js';
import type { ScopedPostgres } from '../src/backends/postgres/scoped/scoped-postgres.js';
import { describeBackendContract, type DriverPlan } from './backend.contract.js';
import { OwnServer } from './support/own-server.js';

describeBackendContract<Client, ScopedPostgres>('PostgreSQL', async () => {
  const server = await OwnServer.start();
  const right = { user: String(server.config.user), password: String(server.config.password) };
  const wrong = { ...right, password: 'quite another one' };
  return {
    driverClass: PostgresDriver,
    credentials: { right, wrong },
    createDriver: ({ port = server.config.port, rejected = [], answerMs }: DriverPlan = {}) => {
      const common = { ...server.config, port };
      return new PostgresDriver({
        separation: { type: 'physical' },
        ...(answerMs !== undefined && { statementTimeoutMs: answerMs, answerMarginMs: 0 }),
        config:
          rejected === 'everybody'
            ? { ...common, ...wrong }
            : ({ namespace }) => ({ ...common, ...(rejected.includes(namespace) ? wrong : right) }),
      });
    },
    path: { port: server.config.port ?? 0 },
    ask: (postgres) => postgres.query('select 1', []),
    wait: (postgres) => postgres.query('select pg_sleep(60)', []),
    stop: () => server.stop(),
    start: () => server.resume(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});
