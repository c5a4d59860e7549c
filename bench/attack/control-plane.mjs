import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../lib/database.mjs';
import { createToken } from '../lib/palisade.mjs';
import { progress } from '../lib/progress.mjs';
import { startControlPlane } from '../control-plane/control-plane-service.mjs';
import { SEED, clonedName, cloneTenants } from '../control-plane/population.mjs';
import { HEAP_MIB, measureBeside } from './beside.mjs';

const CONFIGURATION = {
  deployment: { model: 'multi_tenant' },
  proxy_pools: { standard: { isolation_level: 'namespace' } },
};
const PROXY = 'greedy-proxy';

/** One admin of the control plane, with everything that may be read. @type {import('./run.mjs').Case} */
export async function attackControlPlane({ tenants, records, ...plan }, workspace, database) {
  const configFile = join(workspace.directory, 'attacked-control-plane.yaml');
  writeFileSync(configFile, JSON.stringify(CONFIGURATION));
  const [greedy, quiet] = [createToken(), createToken()];
  const digests = [`greedy:${digestOf(greedy)}:read`, `quiet:${digestOf(quiet)}:read`];
  const environment = {
    SVC_STORE_URL: database,
    SVC_CONTROL_CONFIG: configFile,
    SVC_ADMIN_TOKEN_DIGESTS: digests.join(','),
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
  };
  progress(`${tenants} tenants, ${records} records`);
  const planted = await startControlPlane(workspace, environment);
  await planted.post('/tenants', { tenant_id: SEED, namespace_pattern: SEED, pool: 'standard' });
  await planted.post('/proxies', { id: PROXY, pool: 'standard', host: '127.0.0.1', port: 9 });
  await planted.stop();
  await cloneTenants(database, 0, tenants);
  await cloneRecords(database, records);
  const service = await startControlPlane(workspace, environment);
  await untilSealed(database);
  const agent = new Agent({ keepAlive: true });
  const findings = await measureBeside(plan, workspace, {
    prefix: 'attack_control',
    neighbour: 'another admin',
    origin: service.origin,
    pid: service.pid,
    probe: () => get(agent, `${service.origin}/api/v1/tenants/${clonedName(1)}`, quiet),
    greed: {
      base: `${service.origin}/api/v1`,
      headers: { authorization: `Bearer ${greedy}` },
      questions: questionsAbout(tenants),
      idlePath: '/log?limit=1000',
    },
  });
  agent.destroy();
  await service.stop();
  return findings;
}

/** @param {number} tenants */
function questionsAbout(tenants) {
  const namespace = clonedName(Math.trunc(tenants / 2));
  return [
    { path: '/tenants?limit=1000' },
    { path: '/routing/explain', body: { namespace } },
    { path: '/log?limit=1000' },
    { path: `/proxies/${PROXY}` },
    { path: '/log?limit=1000&order=desc' },
    { path: `/routing/resolve?namespace=${namespace}` },
    { path: '/pools' },
    { path: '/status' },
    { path: '/log/seal' },
  ];
}

/** A record of the log, sealed or not, many times, as not sealed yet. @param {string} database @param {number} count */
async function cloneRecords(database, count) {
  const columns =
    'scope, at, tenant_id, namespace, session_id, user_id, action, resource, result, rows_accessed, pii_accessed, request_id, detail';
  await withClient(database, (client) =>
    client.query(
      `insert into log_unsealed (${columns})
       select ${columns}
       from (select ${columns} from log_records union all select ${columns} from log_unsealed limit 1) as one,
         generate_series(1, $1::int)`,
      [count],
    ),
  );
}

/** The service seals what was planted first; that is no part of what is measured. @param {string} database */
async function untilSealed(database) {
  await withClient(database, async (client) => {
    while ((await client.query('select from log_unsealed limit 1')).rows.length > 0) {
      await sleep(100);
    }
  });
}

/** @param {Agent} agent @param {string} url @param {string} token */
function get(agent, url, token) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const headers = { authorization: `Bearer ${token}` };
  request(url, { agent, headers }, (response) => {
    response.resume().once('end', () => {
      const { statusCode } = response;
      return statusCode === 200 ? resolve(undefined) : reject(new Error(`${url} answered ${statusCode}`));
    });
  })
    .once('error', reject)
    .end();
  return promise;
}

/** @param {string} token */
function digestOf(token) {
  return createHash('sha256').update(token).digest('hex');
}
