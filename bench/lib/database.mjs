import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from 'pg';

/** A PostgreSQL server on which one run makes databases of its own. */
export class DatabaseServer {
  #url;
  #workspace;

  /** @param {import('./workspace.mjs').Workspace} workspace @param {string} url of any database, for a role that may create others */
  constructor(workspace, url) {
    this.#workspace = workspace;
    this.#url = url;
  }

  /** An empty database, dropped when the workspace closes. @returns {Promise<string>} its URL */
  async createDatabase() {
    const name = `palisade_bench_${randomBytes(6).toString('hex')}`;
    this.#workspace.defer(() =>
      withClient(this.#url, (client) => client.query(`drop database if exists ${name} with (force)`)),
    );
    await withClient(this.#url, (client) => client.query(`create database ${name}`));
    const url = new URL(this.#url);
    url.pathname = `/${name}`;
    return url.href;
  }
}

/**
 * The server that `PALISADE_TEST_POSTGRES_URL` names; otherwise an embedded one, started for this run.
 *
 * @param {import('./workspace.mjs').Workspace} workspace
 */
export async function openDatabaseServer(workspace) {
  const url = process.env.PALISADE_TEST_POSTGRES_URL;
  return new DatabaseServer(workspace, url ?? (await startEmbedded(workspace)));
}

/**
 * @template T
 * @param {string} url
 * @param {(client: Client) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withClient(url, work) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * The URL of a role that does not exist yet, for who makes it; it is removed before its database is.
 *
 * @param {import('./workspace.mjs').Workspace} workspace
 * @param {string} adminUrl of the database
 */
export function nameRole(workspace, adminUrl) {
  const role = `palisade_bench_${randomBytes(6).toString('hex')}`;
  workspace.defer(() =>
    withClient(adminUrl, (client) => client.query(`drop owned by ${role}; drop role ${role}`).catch(() => {})),
  );
  const url = new URL(adminUrl);
  url.username = role;
  url.password = randomBytes(16).toString('hex');
  return url.href;
}

/** @param {import('./workspace.mjs').Workspace} workspace */
async function startEmbedded(workspace) {
  const { startEmbeddedPostgres } = await import('../../dist/libs/storage/src/index.js');
  const server = await startEmbeddedPostgres({ directory: join(workspace.directory, 'postgres') });
  workspace.defer(() => server.stop());
  return server.url;
}
