import type { ConnectionOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { Client, type ClientConfig } from 'pg';
import { PostgresDriver } from '../src/backends/postgres/postgres-driver.js';
import { PostgresProvisioner } from '../src/backends/postgres/provisioning/postgres-provisioner.js';
import { NamespaceRejectedError } from '../src/pools/pool.errors.js';
import { TestAuthority, type IssuedCertificate } from './support/certificates.js';
import { OwnServer } from './support/own-server.js';
import { WorkContext } from './support/work-context.js';
import { ownTenant, type TenantNamespace } from '../src/tenant-namespace.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');
const TABLE = { tables: ['orders'], tenantColumn: 'tenant_id' };

let authority: TestAuthority;
let stranger: TestAuthority;
let server: OwnServer;
let certificates: ReadonlyMap<NamespaceId, IssuedCertificate>;

beforeAll(async () => {
  [authority, stranger] = [await TestAuthority.create(), await TestAuthority.create()];
  const { certFile, keyFile } = await authority.issue('server');
  certificates = new Map([
    [ACME, await authority.issue('tenant_acme')],
    [BOLT, await authority.issue('tenant_bolt')],
  ]);
  server = await OwnServer.start({ tls: { certFile, keyFile, caFile: authority.caFile } });
  const config = { ...server.config, ssl: { ca: authority.ca } };
  const admin = new Client(config);
  await admin.connect();
  await admin.query('create table orders (tenant_id text not null, id integer not null, primary key (tenant_id, id))');
  await admin.query("insert into orders values ('acme', 1), ('bolt', 1)");
  await admin.end();
  const provisioner = new PostgresProvisioner({ config, ...TABLE, login: { mode: 'role' } });
  await provisioner.provision(ownTenant(ACME));
  await provisioner.provision(ownTenant(BOLT));
}, 120_000);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await Promise.all([authority[Symbol.asyncDispose](), stranger[Symbol.asyncDispose]()]);
});

/** As `sslmode=verify-full` does, with the certificate of a namespace. */
function configOf(namespace: NamespaceId, ssl: ConnectionOptions = {}): ClientConfig {
  const { host, port, database } = server.config;
  const { cert, key } = certificates.get(namespace) ?? {};
  return { host, port, database, user: `tenant_${namespace}`, ssl: { ca: authority.ca, cert, key, ...ssl } };
}

function createDriver(
  ssl?: ConnectionOptions | false,
  certificateOf = (namespace: NamespaceId) => namespace,
): PostgresDriver {
  const config = ({ tenantId, namespace }: TenantNamespace): ClientConfig => {
    const own = { ...configOf(certificateOf(namespace), ssl || {}), user: `tenant_${tenantId}` };
    return ssl === false ? { ...own, ssl: false } : own;
  };
  return new PostgresDriver({
    config,
    separation: { type: 'row_level_security', mode: 'role', ...TABLE, preflightTenant: ownTenant(ACME) },
  });
}

async function ordersOf(driver: PostgresDriver, namespace: NamespaceId): Promise<unknown> {
  const client = await driver.connect(namespace, new AbortController().signal);
  try {
    await using scoped = driver.scope(client, namespace, new WorkContext());
    return (await scoped.query('select tenant_id from orders', [])).rows;
  } finally {
    await driver.close(client);
  }
}

describe(`${PostgresDriver.name} over TLS`, () => {
  it('logs each namespace in by its certificate, to a server that it has verified', async () => {
    const driver = createDriver();
    await expect(driver.preflight()).resolves.toEqual([]);
    expect(await ordersOf(driver, ACME)).toEqual([{ tenant_id: 'acme' }]);
    expect(await ordersOf(driver, BOLT)).toEqual([{ tenant_id: 'bolt' }]);
  });

  it('talks to the server over TLS 1.2 or later', async () => {
    const client = await createDriver().connect(ACME, new AbortController().signal);
    const { rows } = await client.query('select ssl, version from pg_stat_ssl where pid = pg_backend_pid()');
    expect(rows).toEqual([{ ssl: true, version: expect.stringMatching(/^TLSv1\.[23]$/) }]);
    await client.end();
  });

  it('rejects a server whose certificate is of another authority', async () => {
    const driver = createDriver({ ca: stranger.ca });
    await expect(ordersOf(driver, ACME)).rejects.toThrow(/certificate|signature/i);
  });

  it('rejects a server whose certificate names another host', async () => {
    const driver = createDriver({ servername: 'db.example.com' });
    await expect(ordersOf(driver, ACME)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('is rejected without a client certificate', async () => {
    const driver = createDriver({ cert: undefined, key: undefined });
    await expect(ordersOf(driver, ACME)).rejects.toThrow(/client certificate/);
  });

  it('is rejected with a certificate of another namespace', async () => {
    const driver = createDriver({}, () => BOLT);
    await expect(ordersOf(driver, ACME)).rejects.toMatchObject({ cause: { code: '28000' } });
  });

  it('is rejected with a certificate of another authority', async () => {
    const { cert, key } = await stranger.issue('tenant_acme');
    await expect(ordersOf(createDriver({ cert, key }), ACME)).rejects.toThrow();
  });

  it('is rejected without TLS', async () => {
    await expect(ordersOf(createDriver(false), ACME)).rejects.toThrow('no encryption');
  });

  it('takes a failure of a certificate for one of its namespace', async () => {
    const driver = createDriver({}, () => BOLT);
    const error = await driver.connect(ACME, new AbortController().signal).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NamespaceRejectedError);
  });

  it('has the server stop a statement that was interrupted', async () => {
    const driver = createDriver();
    const client = await driver.connect(ACME, new AbortController().signal);
    const context = new WorkContext();
    await using scoped = driver.scope(client, ACME, context);
    const sleeping = scoped.query('select pg_sleep(60)', []);
    sleeping.catch(() => {});
    context.abort(new Error('gone'));
    await expect(sleeping).rejects.toThrow('gone');
    expect(driver.isUsable(client)).toBe(true);
    await driver.close(client);
  });
});
