import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { isRunning, processOf } from './client-state.js';

/** The code of a CancelRequest message: 1234 in the upper and 5678 in the lower half. */
const CANCEL_REQUEST = 80_877_102;
const MESSAGE_LENGTH = 16;

const INITIAL_PAUSE_MS = 10;

/**
 * Makes the server stop what a client is doing; otherwise it continues until it happens to look at the client's socket. A
 * request that arrives before the statement does has no effect, so it is repeated. Resolves when the client is idle, or
 * after the time; never rejects.
 */
export async function cancelStatements(client: Client, timeoutMs: number): Promise<void> {
  const untilMs = performance.now() + timeoutMs;
  for (let pauseMs = INITIAL_PAUSE_MS; isRunning(client); pauseMs *= 2) {
    const remainingMs = untilMs - performance.now();
    if (remainingMs <= 0) {
      return;
    }
    await requestCancel(client, remainingMs);
    await Promise.race([readiness(client), sleep(Math.min(pauseMs, remainingMs))]);
  }
}

function readiness(client: Client): Promise<void> {
  return new Promise((resolve) => {
    client.connection.once('readyForQuery', resolve);
  });
}

/** Through a socket of its own, as the protocol demands. */
async function requestCancel(client: Client, timeoutMs: number): Promise<void> {
  const { processID, secretKey } = processOf(client);
  if (typeof processID !== 'number' || typeof secretKey !== 'number') {
    return;
  }
  const { host, port } = client;
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(timeoutMs, () => socket.destroy());
  socket.on('error', () => {}); // 'close' follows
  const message = Buffer.alloc(MESSAGE_LENGTH);
  for (const [index, value] of [MESSAGE_LENGTH, CANCEL_REQUEST, processID, secretKey].entries()) {
    message.writeInt32BE(value, index * 4);
  }
  socket.end(message);
  await new Promise<void>((resolve) => {
    socket.resume().once('close', () => resolve());
  });
}
