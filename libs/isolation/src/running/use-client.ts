import { type Clock, untilAborted, within } from '@palisade/async';
import type { NamespaceId } from '@palisade/domain';
import type { BackendDriver, ScopedClient } from '../backends/backend-driver.js';
import type { LeasedConnection } from './connection-source.js';
import type { WorkScope } from './work-scope.js';

export interface ClientUse<C, S extends ScopedClient> {
  readonly driver: BackendDriver<C, S>;
  readonly lease: LeasedConnection<C>;
  readonly namespace: NamespaceId;
  readonly scope: WorkScope;
  readonly clock: Clock;
}

/** How long work may take to end after it was told to. */
export const ABORT_GRACE_MS = 1000;
/** How long a client may take to end what its work has begun. */
export const DISPOSE_TIMEOUT_MS = 2000;

/**
 * Does work with a client over a leased connection, and ends the client. An error of the work alone says nothing about
 * the connection. It is unusable when the client could not be made, or ended, in time; when the work was aborted and did
 * not end, in which case it is left alone, and its client ends under it; and when the work was aborted at all, unless the
 * connection is the caller's own, who would lose more by that than a connection.
 */
export async function useClient<C, S extends ScopedClient, T>(
  use: ClientUse<C, S>,
  work: (client: S) => Promise<T>,
): Promise<T> {
  const { lease, scope, clock } = use;
  scope.signal.throwIfAborted();
  const client = makeClient(use);
  const running = new RunningWork((async () => work(client))());
  try {
    return await running.untilAbandoned(scope.signal, clock);
  } finally {
    if (!running.hasEnded || (scope.signal.aborted && lease.isOwn !== true)) {
      lease.markUnusable();
    }
    await endClient(client, use);
  }
}

function makeClient<C, S extends ScopedClient>({ driver, lease, namespace, scope }: ClientUse<C, S>): S {
  try {
    return driver.scope(lease.connection, namespace, scope);
  } catch (error) {
    lease.markUnusable();
    throw error;
  }
}

/** Never rejects: what the work has come to stands. */
async function endClient<C, S extends ScopedClient>(client: S, { lease, clock }: ClientUse<C, S>): Promise<void> {
  try {
    const ending = Promise.resolve(client[Symbol.asyncDispose]());
    await within(DISPOSE_TIMEOUT_MS, clock, ending, () => new Error(`not ended within ${DISPOSE_TIMEOUT_MS} ms`));
  } catch {
    lease.markUnusable();
  }
}

class RunningWork<T> {
  hasEnded = false;
  readonly #work: Promise<T>;
  readonly #ended: Promise<void>;

  constructor(work: Promise<T>) {
    this.#work = work;
    this.#ended = this.#follow();
  }

  /** What the work comes to; after an abort it has a while for that. */
  async untilAbandoned(signal: AbortSignal, clock: Clock): Promise<T> {
    try {
      await untilAborted(this.#ended, signal);
    } catch {
      await within(ABORT_GRACE_MS, clock, this.#ended, () => signal.reason);
    }
    return this.#work;
  }

  async #follow(): Promise<void> {
    try {
      await this.#work;
    } catch {
      // Whoever waits for the work itself is told.
    }
    this.hasEnded = true;
  }
}
