import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

const SERVER_VARIABLE = 'PALISADE_TEST_POSTGRES_URL';

/** A database of its own for one suite. */
export interface ScratchDatabase {
  readonly url: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

/**
 * Makes an empty database on the server that `PALISADE_TEST_POSTGRES_URL` names.
 *
 * @throws {Error} when the variable is not set: a suite without its server fails, it is not skipped
 */
export async function createScratchDatabase(): Promise<ScratchDatabase> {
  const server = process.env[SERVER_VARIABLE];
  if (!server) {
    throw new Error(
      `set ${SERVER_VARIABLE} to the URL of a PostgreSQL server whose role may create databases, ` +
        'for example postgres://postgres:secret@127.0.0.1:5432/postgres; npm test starts such a server and sets it',
    );
  }
  const name = `palisade_test_${randomBytes(9).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await execute(server, `create database ${name} template template0 encoding 'UTF8'`);
  return { url: url.href, drop: () => execute(server, `drop database if exists ${name} with (force)`) };
}

async function execute(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
