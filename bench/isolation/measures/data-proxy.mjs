import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { nameRole } from '../../lib/database.mjs';
import { progress } from '../../lib/progress.mjs';
import { CAP, NOISY_CLIENTS, measureQuietBesideNoisy } from './neighbours.mjs';

const LEVELS = /** @type {const} */ (['namespace', 'none']);
const NAMESPACES = ['quiet', 'noisy'];
const STATEMENTS = { nap: { text: 'select pg_sleep(0.05)', parameters: {} } };

/**
 * The same as {@link measureNeighbours}, through the HTTP of examples/data-proxy.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureDataProxy(context) {
  const findings = [];
  for (const level of LEVELS) {
    progress(`measuring a quiet namespace beside a noisy one through the data proxy, level ${level}`);
    const proxy = await startProxy(context, level);
    const rates = await measureQuietBesideNoisy((namespace) => proxy.nap(namespace), context.plan.jobSeconds);
    await proxy.stop();
    findings.push(describe(level, rates));
  }
  return findings;
}

/** @param {(typeof LEVELS)[number]} level @param {{ alone: number, quiet: number, noisy: number }} rates */
function describe(level, { alone, quiet, noisy }) {
  const isOwn = level === 'namespace';
  return {
    key: isOwn ? 'http_quiet_share_of_alone' : 'http_quiet_share_of_alone_none',
    name: `quiet namespace beside ${NOISY_CLIENTS} noisy clients, through the data proxy, level ${level}`,
    ours: `${quiet.toFixed(1)}/s`,
    beside: `alone ${alone.toFixed(1)}/s, noisy ${noisy.toFixed(1)}/s`,
    value: quiet / alone,
    ...(isOwn ? { target: { atLeast: 0.95 } } : {}),
  };
}

/** The settings file of a level. @param {(typeof LEVELS)[number]} level */
function settingsOf(level) {
  const pool =
    level === 'none'
      ? { max_connections: CAP, acquire_timeout: '60s' }
      : { connections_per_namespace: CAP, max_total_connections: CAP, acquire_timeout: '60s' };
  return { isolation_level: level, connection_pools: { postgres: pool } };
}

/** @param {import('../run.mjs').Context} context @param {(typeof LEVELS)[number]} level */
async function startProxy({ workspace, databases }, level) {
  const { loadConfig } = await import('../../../examples/data-proxy/src/data-proxy.config.ts');
  const { openDataProxy } = await import('../../../examples/data-proxy/src/open-data-proxy.ts');
  const { JsonLogger } = await import('../../../libs/platform/src/index.ts');
  const { keys, file: keysFile } = await createKeys(workspace, level);
  const settingsFile = join(workspace.directory, `settings-${level}.json`);
  writeFileSync(settingsFile, JSON.stringify(settingsOf(level)));
  const adminUrl = await databases.createDatabase();
  const config = loadConfig({
    SVC_DATA_DIR: workspace.directory,
    DATA_PROXY_SETTINGS: settingsFile,
    DATA_PROXY_API_KEYS: keysFile,
    DATA_PROXY_PROVISION: 'true',
    DATA_PROXY_POSTGRES_URL: nameRole(workspace, adminUrl),
    DATA_PROXY_POSTGRES_ADMIN_URL: adminUrl,
  });
  const logger = new JsonLogger({ service: 'bench', level: 'fatal' });
  const app = await openDataProxy({ config, logger, statements: STATEMENTS });
  workspace.defer(() => app.close());
  await app.listen(0, '127.0.0.1');
  return { nap: createClient(await app.getUrl(), keys), stop: () => app.close() };
}

/** @param {import('../../lib/workspace.mjs').Workspace} workspace @param {string} level */
async function createKeys(workspace, level) {
  const { createApiKey } = await import('../../../libs/guards/src/index.ts');
  const created = NAMESPACES.map((namespace) => ({ namespace, ...createApiKey() }));
  const file = join(workspace.directory, `keys-${level}.json`);
  writeFileSync(file, JSON.stringify(created.map(({ namespace, id, digest }) => ({ namespace, id, digest }))));
  return { file, keys: new Map(created.map(({ namespace, key }) => [namespace, key])) };
}

/** @param {string} origin @param {ReadonlyMap<string, string>} keys @returns {import('./neighbours.mjs').RunJob} */
function createClient(origin, keys) {
  const agent = new Agent({ keepAlive: true });
  const url = new URL('/v1/queries/nap', origin);
  return (namespace) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    const headers = { 'x-api-key': keys.get(namespace), 'content-type': 'application/json' };
    const outgoing = request(url, { agent, method: 'POST', headers }, (response) => {
      response.resume().once('end', () => {
        const { statusCode } = response;
        return statusCode === 200 ? resolve(undefined) : reject(new Error(`the data proxy answered ${statusCode}`));
      });
    });
    outgoing.once('error', reject).end('{}');
    return promise;
  };
}
