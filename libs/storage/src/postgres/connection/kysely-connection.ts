import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely';
import type { Client } from 'pg';
import type { Tables } from './tables.js';

const COMPILER = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Text and parameters of a statement or fragment; needs no connection. */
export function compileSql<T>(builder: RawBuilder<T>): CompiledQuery<T> {
  return builder.compile(COMPILER);
}

/** What statements run on: a connection, where each statement is a transaction of its own, or one transaction. */
export type Connection = Kysely<Tables>;

const connections = new WeakMap<Client, Connection>();

/** Kysely on a client that the caller has leased; statements run one after the other. */
export function connectionOn(client: Client): Connection {
  const known = connections.get(client);
  if (known !== undefined) {
    return known;
  }
  const connection = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(client) }) });
  connections.set(client, connection);
  return connection;
}

/** The pool that Kysely expects. It does not release the client: the owner of its lease does. */
function poolOf(client: Client): PostgresPool {
  const query = client.query.bind(client) as PostgresPoolClient['query'];
  const leased: PostgresPoolClient = { query, release: () => {} };
  return { connect: async () => leased, end: async () => {} };
}
