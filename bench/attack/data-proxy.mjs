import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePorts } from '../../scripts/lib/test-services/free-ports.mjs';
import { nameRole } from '../lib/database.mjs';
import { startProgram } from '../lib/processes.mjs';
import { progress } from '../lib/progress.mjs';
import { HEAP_MIB, measureBeside } from './beside.mjs';

const MAIN = join(import.meta.dirname, '../../dist/examples/data-proxy/src/main.js');
const SETTINGS = {
  isolation_level: 'namespace',
  connection_pools: { postgres: { connections_per_namespace: 5, max_total_connections: 10 } },
};
const BODY = 'x'.repeat(99_000);
const NAMESPACES = ['greedy', 'quiet'];

/** One namespace of the data proxy, with its own data. @type {import('./run.mjs').Case} */
export async function attackDataProxy({ notes, ...plan }, workspace, database) {
  const keys = await createKeys(workspace);
  const [port] = await findFreePorts(1);
  const settingsFile = join(workspace.directory, 'attacked-data-proxy.json');
  writeFileSync(settingsFile, JSON.stringify(SETTINGS));
  const proxy = await startProgram(workspace, {
    name: 'data-proxy',
    args: ['--enable-source-maps', '--max-semi-space-size=8', MAIN],
    port,
    readyPath: '/health/ready',
    isReady: (status) => status === 200,
    environment: {
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
      SVC_DATA_DIR: workspace.directory,
      SVC_LOG_LEVEL: 'warn',
      DATA_PROXY_LISTEN: `127.0.0.1:${port}`,
      DATA_PROXY_SETTINGS: settingsFile,
      DATA_PROXY_API_KEYS: keys.file,
      DATA_PROXY_PROVISION: 'true',
      DATA_PROXY_POSTGRES_URL: nameRole(workspace, database),
      DATA_PROXY_POSTGRES_ADMIN_URL: database,
    },
  });
  progress(`one namespace: ${notes} notes of 100 kB`);
  const ids = [];
  for (let note = 0; note < notes; note++) {
    const { rows } = await query(proxy.origin, keys.greedy, 'notes.insert', { title: `note ${note}`, body: BODY });
    ids.push(rows[0].id);
  }
  const { rows } = await query(proxy.origin, keys.quiet, 'notes.insert', { title: 'quiet', body: 'small' });
  const findings = await measureBeside(plan, workspace, {
    prefix: 'attack_proxy',
    neighbour: 'another namespace',
    origin: proxy.origin,
    pid: proxy.pid,
    probe: () => query(proxy.origin, keys.quiet, 'notes.get', { id: rows[0].id }),
    greed: {
      base: `${proxy.origin}/v1`,
      headers: { 'x-api-key': keys.greedy },
      questions: [
        ...ids.slice(0, 20).map((id) => ({ path: '/queries/notes.get', body: { values: { id } } })),
        { path: '/queries/notes.list', body: { values: { limit: 1000 } } },
        { path: '/queries/notes.insert', body: { values: { title: 'one more', body: BODY } } },
        { path: '/usage' },
      ],
    },
  });
  await proxy.stop();
  return findings;
}

/** @param {import('../lib/workspace.mjs').Workspace} workspace */
async function createKeys(workspace) {
  const { createApiKey } = await import('../../dist/libs/guards/src/index.js');
  const created = NAMESPACES.map((namespace) => ({ namespace, ...createApiKey() }));
  const file = join(workspace.directory, 'attacked-keys.json');
  writeFileSync(file, JSON.stringify(created.map(({ namespace, id, digest }) => ({ namespace, id, digest }))));
  const [greedy, quiet] = created.map(({ key }) => key);
  return { file, greedy, quiet };
}

/** @param {string} origin @param {string} key @param {string} name @param {object} values */
async function query(origin, key, name, values) {
  const response = await fetch(`${origin}/v1/queries/${name}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ values }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${name} was answered with ${response.status}: ${text}`);
  }
  return JSON.parse(text);
}
