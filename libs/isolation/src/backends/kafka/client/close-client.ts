import type { ConnectionPool } from '@platformatic/kafka';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSockets } from './client-sockets.js';

/** What producers and consumers have in common. */
export interface KafkaClient {
  readonly connections: ConnectionPool;
  close(force: boolean): Promise<void>;
}

/** Says goodbye as long as that takes no longer than `timeoutMs`, and closes the sockets. Never rejects. */
export async function closeClient(
  close: () => Promise<void>,
  sockets: ClientSockets,
  timeoutMs: number,
): Promise<void> {
  await within(timeoutMs, close());
  await sockets.destroy();
}

/** Resolves when the promise has settled, or the time is over. */
export async function within(timeoutMs: number, promise: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: patience.signal }).catch(() => {}); // cancelled below
  await Promise.race([promise.catch(() => {}), timeout]);
  patience.abort();
}
