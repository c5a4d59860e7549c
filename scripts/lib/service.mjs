import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import process from 'node:process';
import { ROOT } from './run.mjs';

const READY_TIMEOUT_MS = 60_000;
const READY_INTERVAL_MS = 50;

/** One built service as a child process. */
export class Service {
  #child;
  #exit;

  /** `listen` is `{ host, port }`, `listenVariable` the variable that sets it; `onLine` is given each line that the service writes. */
  constructor({ name, listen, listenVariable, env, onLine }) {
    this.name = name;
    this.listen = listen;
    this.listenVariable = listenVariable;
    this.env = env;
    this.onLine = onLine;
  }

  /** Where a client on this machine finds it. */
  get origin() {
    const { host, port } = this.listen;
    const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
    return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  }

  /** Rejects, saying what to do, when another process listens on the service's address. */
  async requireFreeAddress() {
    const { host, port } = this.listen;
    const probe = createServer().listen({ host, port });
    try {
      await once(probe, 'listening');
    } catch (error) {
      const advice = `Stop what uses it, or choose another: ${this.listenVariable}=${host}:${port + 100} npm start`;
      throw new Error(`${this.name} cannot listen on ${host}:${port} (${error.code}). ${advice}`, { cause: error });
    }
    probe.close();
    await once(probe, 'close');
  }

  /** `env` is set over what the service has from its definition. */
  start(env) {
    const main = `dist/apps/${this.name}/src/main.js`;
    this.#child = spawn(process.execPath, ['--enable-source-maps', '--max-semi-space-size=8', main], {
      cwd: ROOT,
      // The configuration file of control-plane may name another address, and then we would wait for it at the wrong one.
      env: { ...this.env, [this.listenVariable]: formatListen(this.listen), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      createInterface({ input: stream }).on('line', this.onLine);
    }
    this.#exit = once(this.#child, 'exit');
  }

  /** Resolves to true once the service can take requests, to false when it ends or takes a minute first. */
  async isReady() {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (this.#child.exitCode === null && this.#child.signalCode === null && performance.now() < deadline) {
      const response = await fetch(`${this.origin}/health/ready`).catch(() => undefined);
      if (response?.ok) {
        return true;
      }
      await sleep(READY_INTERVAL_MS);
    }
    return false;
  }

  /** Resolves to the exit code once the service has ended, 1 when a signal ended it. */
  async ended() {
    const [code] = await this.#exit;
    return code ?? 1;
  }

  /** Asks the service to finish what it does and end. Harmless when Ctrl-C has asked it already. */
  stop() {
    this.#child.kill('SIGTERM');
  }
}

function formatListen({ host, port }) {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
