import { randomBytes } from 'node:crypto';
import { Client, type ClientConfig } from 'pg';
import { type Clock, SYSTEM_CLOCK } from '@palisade/async';

const SERVER_VARIABLE = 'PALISADE_TEST_POSTGRES_URL';

/**
 * The server that the tests use.
 *
 * @throws {Error} when none is named: a suite without its server fails, it is not skipped
 */
export function testServerUrl(): string {
  const url = process.env[SERVER_VARIABLE];
  if (!url) {
    throw new Error(`set ${SERVER_VARIABLE} to the URL of a PostgreSQL server; npm test starts one and sets it`);
  }
  return url;
}

/** Looks at a server from outside: which connections of one application it has, and what ends them. */
export class ServerObserver implements AsyncDisposable {
  /** Connects everything that is observed. */
  readonly config: ClientConfig;
  readonly #client: Client;

  private constructor(url: string) {
    const { hostname, port, username, password, pathname } = new URL(url);
    this.config = {
      host: hostname,
      port: Number(port || 5432),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: pathname.slice(1),
      application_name: `isolation_${randomBytes(6).toString('hex')}`,
    };
    this.#client = new Client({ connectionString: url });
  }

  static async connect(url = testServerUrl()): Promise<ServerObserver> {
    const observer = new ServerObserver(url);
    await observer.#client.connect();
    return observer;
  }

  async countConnections(): Promise<number> {
    const { rows } = await this.#client.query<{ count: number }>(
      'select count(*)::int as count from pg_stat_activity where application_name = $1',
      [this.config.application_name],
    );
    return rows[0]?.count ?? 0;
  }

  /** Resolves when the application has no connection left; the server takes a moment to see that one is closed. */
  async waitForNone(withinMs = 60_000, clock: Clock = SYSTEM_CLOCK): Promise<void> {
    const untilMs = clock.now() + withinMs;
    for (let count = await this.countConnections(); count > 0; count = await this.countConnections()) {
      if (clock.now() > untilMs) {
        throw new Error(`the server still has ${count} connections`);
      }
    }
  }

  /** Cuts a connection from the server's side. */
  async terminate(processId: number): Promise<void> {
    await this.#client.query('select pg_terminate_backend($1, 5000)', [processId]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}

/** The server process behind a connection. */
export async function processIdOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
