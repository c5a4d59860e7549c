import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadBalancer } from '../../dist/apps/control-plane/src/load-balancer/create-load-balancer.js';
import { findFreePorts } from '../../scripts/lib/test-services/free-ports.mjs';

const READY_WITHIN_MS = 20_000;

/**
 * HAProxy in master-worker mode, and what administers it.
 *
 * @typedef {object} Haproxy
 * @property {import('../../apps/control-plane/src/load-balancer/load-balancer.js').LoadBalancer} balancer
 * @property {(namespace: string) => Promise<number>} get the status of a request
 * @property {number} port
 */

/**
 * Runs HAProxy while `measure` does, beginning with `state`.
 *
 * @template T
 * @param {string} binary
 * @param {any} state
 * @param {(haproxy: Haproxy) => Promise<T>} measure
 */
export async function withHaproxy(binary, state, measure) {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-bench-'));
  const [port] = await findFreePorts(1);
  const configPath = join(directory, 'haproxy.cfg');
  const masterSocket = join(directory, 'master.sock');
  const balancer = createLoadBalancer({
    type: 'haproxy',
    binary,
    configPath,
    masterSocket,
    runtimeSocket: join(directory, 'run.sock'),
    bind: { host: '127.0.0.1', port },
    namespaceHeader: 'X-Palisade-Namespace',
    namespaceSource: 'header',
    coalesceMs: 0,
    commandTimeoutMs: 30_000,
    driftIntervalMs: 60_000,
  });
  const get = (/** @type {string} */ namespace) => statusOf(port, namespace);
  await balancer.apply(state, 'bench');
  const child = spawn(binary, ['-W', '-S', masterSocket, '-f', configPath], { detached: true, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    await untilServed(() => get('-'));
    return await measure({ balancer, get, port });
  } finally {
    process.kill(-child.pid, 'SIGKILL');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs it until the workspace closes. @param {import('../lib/workspace.mjs').Workspace} workspace @param {readonly string[]} command */
export function runHaproxy(workspace, [binary, ...args]) {
  const child = spawn(binary, args, { detached: true, stdio: 'ignore' });
  const ended = once(child, 'exit');
  workspace.defer(async () => {
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
}

/** A proxy that answers everything with 200 and this text. */
export async function startProxy(text = 'ok') {
  const server = createServer({ keepAliveTimeout: 600_000 }, (_, response) => void response.end(text));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, close: () => void server.close().closeAllConnections() };
}

/** @param {number} port @param {string} namespace */
async function statusOf(port, namespace) {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-Palisade-Namespace': namespace } });
  await response.arrayBuffer();
  return response.status;
}

/** @param {() => Promise<number>} get */
async function untilServed(get) {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    try {
      return await get();
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
      await sleep(20);
    }
  }
}
