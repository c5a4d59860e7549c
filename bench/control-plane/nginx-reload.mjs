// What a reload of NGINX does to connections that clients keep, with the settings that could prevent it:
//   node bench/control-plane/nginx-reload.mjs
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '../../scripts/lib/test-services/free-ports.mjs';

const CLIENTS = 12;
const NGINX = process.env['NGINX'] ?? 'nginx';
const VARIANTS = [
  ['as the control plane configures it', '', ''],
  ['worker_shutdown_timeout 60s', 'worker_shutdown_timeout 60s;', ''],
  ['keepalive_timeout 1h', '', 'keepalive_timeout 1h; keepalive_requests 1000000;'],
];
const LOADS = [
  { name: 'a request every 300 ms', pauseMs: 300, reloads: 1, reloadPauseMs: 1500 },
  { name: 'one request after the other', pauseMs: 0, reloads: 20, reloadPauseMs: 300 },
];

const proxy = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
await once(proxy, 'listening');
const { port: proxyPort } = /** @type {import('node:net').AddressInfo} */ (proxy.address());
for (const load of LOADS) {
  for (const [name, main, http] of VARIANTS) {
    console.log(JSON.stringify({ load: load.name, settings: name, ...(await measure(load, main, http)) }));
  }
}
proxy.close();
proxy.closeAllConnections();

/**
 * @param {typeof LOADS[number]} load
 * @param {string | undefined} main
 * @param {string | undefined} http
 */
async function measure(load, main, http) {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-nginx-'));
  const [port = 0] = await findFreePorts(1);
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, configuration(directory, port, main, http));
  const child = spawn(NGINX, ['-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
  await sleep(500);
  const counts = { reloads: load.reloads, connections_closed: 0, requests_failed: 0, requests_answered: 0 };
  const ending = new AbortController();
  const clients = Array.from({ length: CLIENTS }, () => keepAsking(port, load.pauseMs, counts, ending.signal));
  await sleep(1000);
  for (let reload = 0; reload < load.reloads; reload += 1) {
    execFileSync(NGINX, ['-s', 'reload', '-c', file], { stdio: 'ignore' });
    await sleep(load.reloadPauseMs);
  }
  ending.abort();
  await Promise.all(clients);
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(directory, { recursive: true });
  return counts;
}

/**
 * @param {number} port
 * @param {number} pauseMs
 * @param {{ connections_closed: number, requests_failed: number, requests_answered: number }} counts
 * @param {AbortSignal} signal
 */
async function keepAsking(port, pauseMs, counts, signal) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const known = new WeakSet();
  const ask = () =>
    new Promise((resolve) => {
      const fail = () => resolve((counts.requests_failed += 1));
      const request = get({ host: '127.0.0.1', port, agent }, (response) => {
        response.resume().once('end', () => resolve((counts.requests_answered += 1)));
        response.once('error', fail);
      });
      request.once('error', fail);
      request.once('socket', (socket) => {
        if (!known.has(socket)) {
          known.add(socket);
          socket.once('close', () => (counts.connections_closed += signal.aborted ? 0 : 1));
        }
      });
    });
  while (!signal.aborted) {
    await ask();
    if (pauseMs > 0) {
      await sleep(pauseMs * (1 + Math.random() / 2));
    }
  }
  agent.destroy();
}

/**
 * @param {string} directory
 * @param {number} port
 * @param {string | undefined} main
 * @param {string | undefined} http
 */
function configuration(directory, port, main = '', http = '') {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${directory}/${kind};`,
  );
  return `worker_processes auto; pid ${directory}/pid; error_log ${directory}/error.log warn; ${main}
events { worker_connections 4096; }
http {
  access_log off; ${temporary.join(' ')} ${http}
  upstream proxies { server 127.0.0.1:${proxyPort}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://proxies; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`;
}
