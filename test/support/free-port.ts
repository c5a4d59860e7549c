import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of the loopback interface, on which nobody listens now. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await once(probe.close(), 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
