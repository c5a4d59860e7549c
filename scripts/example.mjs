/**
 * `npm run example`: builds the data proxy of examples/ and runs it until Ctrl-C, with keys for two namespaces unless the
 * environment configures credentials. With `-- --all` it first starts a server of each backend that the environment does not
 * name, as `npm test` does, and removes it with its data at the end. See examples/data-proxy/README.md.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from './lib/build.mjs';
import { formatLogLine } from './lib/log-line.mjs';
import { ROOT } from './lib/run.mjs';
import { prepareTestServices, startTestServices } from './lib/test-services/test-services.mjs';

const MAIN = 'dist/examples/data-proxy/src/main.js';
const CREDENTIALS = ['DATA_PROXY_API_KEYS', 'DATA_PROXY_JWT_ISSUER', 'DATA_PROXY_SPIFFE_IDS'];
const READY_INTERVAL_MS = 100;

/** The namespaces that get keys. */
function demoNamespaces() {
  const isGiven = CREDENTIALS.some((name) => process.env[name]);
  return process.env.DATA_PROXY_DEMO_NAMESPACES || (isGiven ? '' : 'acme,bolt');
}

async function readKeys(namespaces) {
  const { loadDemoKey } = await import('../dist/examples/data-proxy/src/identities.js');
  const directory = resolve(ROOT, process.env.SVC_DATA_DIR || '.palisade');
  const names = namespaces.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '').map((name) => ({ name, key: loadDemoKey(directory, name).key }));
}

function welcome(origin, keys) {
  const exports = keys.map(
    ({ name, key }) => `export ${name.toUpperCase().replaceAll('-', '_')}='X-Api-Key: ${key}'\n`,
  );
  const [first] = keys;
  const lines =
    first === undefined
      ? []
      : [
          `curl -sSw '\\n' -H 'X-Api-Key: ${first.key}' -H 'Content-Type: application/json' ${origin}/v1/queries/notes.insert -d '{"values":{"title":"Hello","body":"of ${first.name}"}}'`,
          ...keys.map(
            ({ key }) =>
              `curl -sSw '\\n' -H 'X-Api-Key: ${key}' -H 'Content-Type: application/json' ${origin}/v1/queries/notes.list -d '{"values":{"limit":10}}'`,
          ),
        ];
  return `
The data proxy is ready at ${origin}. Its README, examples/data-proxy/README.md, uses these:

export PROXY=${origin}
${exports.join('')}
Paste these, too: a note of one namespace, and what each of them sees.

${lines.join('\n')}

Ctrl-C ends it.
`;
}

/** Whether it has become ready, rather than ended. */
async function isReady(child, origin) {
  while (child.exitCode === null && child.signalCode === null) {
    const response = await fetch(`${origin}/health/ready`).catch(() => undefined);
    if (response?.ok) {
      return true;
    }
    await sleep(READY_INTERVAL_MS);
  }
  return false;
}

/** The environment variables for the servers that were started for the proxy. */
function environmentOf({ env }) {
  const roleUrl = new URL(env.PALISADE_TEST_POSTGRES_URL);
  roleUrl.username = 'data_proxy_example';
  roleUrl.password = randomBytes(16).toString('hex');
  return {
    DATA_PROXY_POSTGRES_URL: roleUrl.href,
    DATA_PROXY_POSTGRES_ADMIN_URL: env.PALISADE_TEST_POSTGRES_URL,
    DATA_PROXY_REDIS_URL: env.PALISADE_TEST_REDIS_URL,
    DATA_PROXY_NATS_URL: env.PALISADE_TEST_NATS_URL,
    DATA_PROXY_KAFKA_BROKERS: env.PALISADE_TEST_KAFKA_SASL_BROKERS,
    DATA_PROXY_KAFKA_ADMIN_BROKERS: env.PALISADE_TEST_KAFKA_BROKERS,
    DATA_PROXY_BACKEND_SECRET: randomBytes(32).toString('hex'),
    DATA_PROXY_PROVISION: 'true',
  };
}

/** Starts the proxy. On a terminal its log is formatted for people, as `npm start` does for the services. */
function startProxy(env) {
  const stdio = process.stdout.isTTY ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio,
  });
  for (const stream of [child.stdout, child.stderr].filter((output) => output !== null)) {
    createInterface({ input: stream }).on('line', (line) => console.log(formatLogLine('data-proxy', line)));
  }
  return child;
}

/** Resolves to the exit code. */
async function runProxy(environment) {
  const listen = process.env.DATA_PROXY_LISTEN || '127.0.0.1:8080';
  const origin = `http://${listen.replace(/^(0\.0\.0\.0|\[::\])/, '127.0.0.1')}`;
  const namespaces = demoNamespaces();
  const keys = await readKeys(namespaces);
  const env = { ...environment, DATA_PROXY_DEMO_NAMESPACES: namespaces };
  const child = startProxy(env);
  const ended = once(child, 'exit');
  // Ctrl-C also reaches the proxy, which ends after its requests.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  const hasTls = Boolean(process.env.DATA_PROXY_TLS_CERT);
  if (!hasTls && (await isReady(child, origin))) {
    console.log(welcome(origin, keys));
  }
  const [code] = await ended;
  return code ?? 1;
}

async function runWithServers() {
  const services = await startTestServices(await prepareTestServices(new AbortController().signal));
  try {
    return await runProxy(environmentOf(services));
  } finally {
    await services.stop();
  }
}

const args = process.argv.slice(2);
if (args.some((arg) => arg !== '--all')) {
  console.error('Usage: npm run example [-- --all]');
  process.exitCode = 2;
} else if (await build(['data-proxy'])) {
  try {
    process.exitCode = args.includes('--all') ? await runWithServers() : await runProxy({});
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} else {
  process.exitCode = 1;
}
