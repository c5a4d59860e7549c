import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Client } from 'pg';
import type { Tables } from '../schema/tables.js';

/** What statements run on: one connection, where each is a transaction of its own, or one transaction. */
export type Connection = Kysely<Tables>;

const connections = new WeakMap<Client, Connection>();

/** Statements on a client that the caller has for itself for the time being; they run one after the other. */
export function connectionOn(client: Client): Connection {
  const known = connections.get(client);
  if (known !== undefined) {
    return known;
  }
  const connection = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(client) }) });
  connections.set(client, connection);
  return connection;
}

/** The pool that Kysely wants. Who has borrowed the client gives it back, so this one does not. */
function poolOf(client: Client): PostgresPool {
  const query = client.query.bind(client) as PostgresPoolClient['query'];
  const borrowed: PostgresPoolClient = { query, release: () => {} };
  return { connect: async () => borrowed, end: async () => {} };
}
