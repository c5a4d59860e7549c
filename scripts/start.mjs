/**
 * `npm start`: builds both services and runs them until Ctrl-C, with an embedded database unless SVC_STORE_URL names another.
 * Exits with 0 when both stopped cleanly, with 1 when one could not start or crashed; the database always stops last.
 * The environment variables of both services apply (docs/configuration.md).
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { build } from './lib/build.mjs';
import { startDatabase } from './lib/database.mjs';
import { formatLogLine } from './lib/log-line.mjs';
import { ROOT } from './lib/run.mjs';
import { Service } from './lib/service.mjs';
import { welcome } from './lib/welcome.mjs';

/** The token in the environment, or else the one in the data directory, which the first start creates. */
function settleToken(variable, fileName, loadOrCreateToken) {
  const { [variable]: token, [`${variable}_FILE`]: file } = process.env;
  if (token || file) {
    return { token: token || readFileSync(resolve(ROOT, file), 'utf8').trim(), env: {} };
  }
  const directory = resolve(ROOT, process.env.SVC_DATA_DIR || '.palisade');
  return {
    token: loadOrCreateToken(directory, fileName),
    env: { [`${variable}_FILE`]: join(directory, fileName) },
  };
}

/** Both services as the environment and the built defaults configure them. */
async function defineServices() {
  const { hostPort } = await import('../dist/libs/platform/src/config/variable-kinds.js');
  const { loadOrCreateToken } = await import('../dist/libs/platform/src/lifecycle/load-or-create-token.js');
  const admin = settleToken('SVC_ADMIN_TOKEN', 'admin-token', loadOrCreateToken);
  const scim = settleToken('SVC_SCIM_BEARER_TOKEN', 'scim-token', loadOrCreateToken);

  const define = (name, listenVariable, defaultListen, env) => {
    const listen = hostPort(listenVariable, {}).parse(process.env[listenVariable] || defaultListen);
    if (listen === undefined) {
      throw new Error(`${listenVariable}: expected host:port, found "${process.env[listenVariable]}"`);
    }
    const show = process.stdout.isTTY ? (line) => formatLogLine(name, line) : (line) => line;
    return new Service({
      name,
      listen,
      listenVariable,
      env: { ...process.env, ...env },
      onLine: (line) => console.log(show(line)),
    });
  };
  const services = {
    scim: define('scim-service', 'SVC_SCIM_LISTEN', '0.0.0.0:9091', { ...admin.env, ...scim.env }),
    control: define('control-plane', 'SVC_CONTROL_LISTEN', '0.0.0.0:8980', admin.env),
  };
  return { services, tokens: { admin: admin.token, scim: scim.token } };
}

/**
 * Starts the services, prints how to use them, and waits until `stopping` aborts or one of them ends. Resolves to the exit
 * code when all have ended.
 */
async function supervise({ services, tokens }, database, stopping) {
  if (stopping.aborted) {
    return 0;
  }
  const all = Object.values(services);
  const stop = () => all.forEach((service) => service.stop());
  all.forEach((service) => service.start(database.env));
  stopping.addEventListener('abort', stop);

  const end = Promise.race(all.map(async (service) => ({ service, code: await service.ended() })));
  const allReady = Promise.all(all.map((service) => service.isReady()));
  const areReady = (await allReady).every(Boolean);
  if (areReady && !stopping.aborted) {
    const providerId = process.env.SVC_SCIM_PROVIDER_ID || 'default';
    console.log(welcome({ scim: services.scim.origin, control: services.control.origin, tokens, providerId }));
    const { service, code } = await end;
    if (!stopping.aborted) {
      console.error(`${service.name} ended unexpectedly (exit code ${code}); stopping the other one.`);
    }
  } else if (!stopping.aborted) {
    console.error('A service did not become ready; the last lines of its log say why.');
  }
  const wasAsked = stopping.aborted;
  stop();
  const codes = await Promise.all(all.map((service) => service.ended()));
  return wasAsked && codes.every((code) => code === 0) ? 0 : 1;
}

/** Resolves to the exit code. */
async function start() {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => stopping.abort());
  }
  // The reader is gone (`npm start | head`): the services must not outlive this process.
  process.stdout.on('error', () => stopping.abort());
  const definition = await defineServices();
  for (const service of Object.values(definition.services)) {
    // Before the database starts, because it stops a database whose services are still running.
    await service.requireFreeAddress();
  }
  const database = await startDatabase();
  try {
    return await supervise(definition, database, stopping.signal);
  } finally {
    await database.stop();
  }
}

if (await build()) {
  try {
    process.exitCode = await start();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} else {
  process.exitCode = 1;
}
