import type { Client } from 'pg';

/** What `pg` 8 keeps in a client without declaring it. */
interface ClientInternals {
  /** Whether the server has answered everything that was sent. */
  readonly readyForQuery?: boolean;
  readonly _activeQuery: object | null | undefined;
  readonly _queryQueue: readonly unknown[];
  readonly _queryable: boolean;
  readonly _ending: boolean;
  readonly processID: unknown;
  readonly secretKey: unknown;
  readonly connection: { parsedStatements: Record<string, string> };
}

/**
 * - `ready`: a statement could be sent now, and would be outside any transaction.
 * - `settling`: a statement has failed, and the server has yet to say in what state that has left the connection. Its
 *   promise rejects that early.
 * - `unfit`: a statement is running or waiting, a transaction is open, or the connection has ended.
 */
export type ClientState = 'ready' | 'settling' | 'unfit';

export function stateOf(client: Client): ClientState {
  const { readyForQuery, _activeQuery, _queryQueue } = internalsOf(client);
  if (isLost(client) || _queryQueue.length > 0) {
    return 'unfit';
  }
  if (readyForQuery) {
    return client.getTransactionStatus() === 'I' ? 'ready' : 'unfit';
  }
  return _activeQuery === null ? 'settling' : 'unfit';
}

/** To be called when the server has forgotten the client's prepared statements, so that they are prepared again. */
export function forgetStatements(client: Client): void {
  internalsOf(client).connection.parsedStatements = {};
}

/** Whether the server is at work on a statement, as far as is known here. */
export function isRunning(client: Client): boolean {
  const { _activeQuery } = internalsOf(client);
  return _activeQuery !== null && _activeQuery !== undefined;
}

/** Whether the server waits for the next statement, in a transaction or not. */
export function isIdle(client: Client): boolean {
  const { readyForQuery, _queryQueue } = internalsOf(client);
  return readyForQuery === true && _queryQueue.length === 0 && !isLost(client);
}

/** Whether no statement can be sent any more; at once when this side has cut the connection. */
export function isLost(client: Client): boolean {
  const { _queryable, _ending } = internalsOf(client);
  return !_queryable || _ending || client.connection.stream.destroyed;
}

/** Resolves when the server has answered everything that was sent and said in what state that left the connection, or has gone. */
export async function untilSettled(client: Client): Promise<void> {
  const { readyForQuery, _queryable } = internalsOf(client);
  if (readyForQuery || !_queryable) {
    return;
  }
  const settled = Promise.withResolvers<void>();
  const settle = () => settled.resolve();
  client.connection.once('readyForQuery', settle).once('end', settle);
  await settled.promise;
  client.connection.off('readyForQuery', settle).off('end', settle);
}

/** What identifies the server's process for this client; absent before the login. */
export function processOf(client: Client): { readonly processID: unknown; readonly secretKey: unknown } {
  return internalsOf(client);
}

function internalsOf(client: Client): ClientInternals {
  return client as unknown as ClientInternals;
}
