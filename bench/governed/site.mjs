import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePorts } from '../../scripts/lib/test-services/free-ports.mjs';
import { startControlPlane } from '../control-plane/control-plane-service.mjs';
import { SEED, cloneTenants } from '../control-plane/population.mjs';
import { withClient } from '../lib/database.mjs';
import { progress } from '../lib/progress.mjs';
import { startProxy } from './proxy.mjs';

/** The pool that the measured proxies are in, one for tenants that move, and one that holds all other tenants. */
export const POOLS = /** @type {const} */ ({ ours: 'standard', other: 'premium', rest: 'archive' });
/** Proxies of one measure. */
export const PROXIES = 4;
/** What a namespace may have of PostgreSQL at a proxy, unless its tenant has something of its own. */
export const CONNECTIONS_PER_NAMESPACE = 40;
/** For the services, for what counts, and for the server itself. */
const SPARE_CONNECTIONS = 100;

/**
 * A PostgreSQL server, a control plane that has the tenants, and what starts proxies.
 *
 * @typedef {Awaited<ReturnType<typeof openSite>>} Site
 */

/** @param {import('../lib/workspace.mjs').Workspace} workspace @param {import('./plan.mjs').Plan} plan */
export async function openSite(workspace, plan) {
  const cap = Math.max(plan.users * plan.sessionsPerUser, plan.movingTenants * PROXIES) + SPARE_CONNECTIONS;
  progress(`starting PostgreSQL for ${cap} connections of proxies`);
  const databaseUrl = await startPostgres(workspace, cap + SPARE_CONNECTIONS);
  const settings = {
    deployment: { model: 'multi_tenant' },
    proxy_pools: Object.fromEntries(Object.values(POOLS).map((pool) => [pool, { isolation_level: 'namespace' }])),
    connection_pools: {
      postgres: { connections_per_namespace: CONNECTIONS_PER_NAMESPACE, max_total_connections: cap },
    },
    session_management: { max_sessions_per_client: cap, max_sessions: cap, max_sessions_per_namespace: cap },
  };
  const [port] = await findFreePorts(1);
  const start = async (/** @type {object} */ more = {}) => {
    const file = join(workspace.directory, 'control-plane.yaml');
    writeFileSync(file, JSON.stringify({ ...settings, ...more }));
    return startControlPlane(workspace, { SVC_STORE_URL: databaseUrl, SVC_CONTROL_CONFIG: file }, port);
  };
  await plantTenants(start, databaseUrl, plan);
  progress('starting the control plane');
  let controlPlane = await start();
  return {
    databaseUrl,
    cap,
    get controlPlane() {
      return controlPlane;
    },
    /** Starts the control plane where it was, with more in its file if need be. */
    async restart(/** @type {object} */ more = {}) {
      await controlPlane.stop();
      controlPlane = await start(more);
    },
    /** A proxy of a pool, ready for work. @param {string} id @param {string} [pool] */
    startProxy(id, pool = POOLS.ours) {
      const settings = {
        isolation_level: 'namespace',
        connection_pools: { postgres: { max_total_connections: cap } },
      };
      const { origin: url, token } = controlPlane;
      return startProxy(workspace, { id, pool, url, token, databaseUrl, settings });
    },
  };
}

/**
 * Sessions hold a connection each, and that takes a server with more of them than it has by default.
 *
 * @param {import('../lib/workspace.mjs').Workspace} workspace @param {number} connections
 */
async function startPostgres(workspace, connections) {
  const { startEmbeddedPostgres } = await import('../../dist/libs/storage/src/index.js');
  const options = { directory: join(workspace.directory, 'postgres') };
  const first = await startEmbeddedPostgres(options);
  try {
    await withClient(first.url, (client) => client.query(`alter system set max_connections = ${connections}`));
  } finally {
    await first.stop();
  }
  const server = await startEmbeddedPostgres(options);
  workspace.defer(() => server.stop());
  return server.url;
}

/**
 * Each tenant has something of its own, so that its terms take room in the policy.
 *
 * @param {(more?: object) => ReturnType<typeof startControlPlane>} start
 * @param {string} databaseUrl
 * @param {import('./plan.mjs').Plan} plan
 */
async function plantTenants(start, databaseUrl, { tenants, poolTenants }) {
  progress(`registering ${tenants} tenants, ${poolTenants} in the pool of the proxies`);
  const service = await start();
  await service.post('/tenants', {
    tenant_id: SEED,
    namespace_pattern: SEED,
    pool: POOLS.ours,
    isolation_level: 'namespace',
    connection_pools: { postgres: { connections_per_namespace: 3 } },
  });
  await service.stop();
  await cloneTenants(databaseUrl, 0, tenants - 1);
  await withClient(databaseUrl, (client) =>
    client.query('update tenants set pool = $1 where id in (select id from tenants order by id desc limit $2)', [
      POOLS.rest,
      tenants - poolTenants,
    ]),
  );
}
