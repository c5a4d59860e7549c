import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceProcess } from './support/service-process.js';
import { environmentOf } from './support/services-under-test.js';
import { SilentServer } from './support/silent-server.js';
import { until } from './support/until.js';

const MINUTE_MS = 60_000;
/** As a shell tells of SIGTERM, when there is no app yet; else the app ends in order. */
const EXPECTED_CODES = [143, 0];

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'palisade-shutdown-'));
  // As root, an embedded database runs under another account.
  chmodSync(directory, 0o711);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('SIGTERM while scim-service starts', () => {
  it(
    'ends it and the database that it starts, and does not keep it from starting again',
    async () => {
      const environment = environmentOf('scim-service', `embedded:${join(directory, 'postgres')}`);
      const first = await ServiceProcess.spawn('scim-service', environment);
      await until(() => existsSync(join(directory, 'postgres')));
      expect(await first.end('SIGTERM')).toBe(143);
      await using second = await ServiceProcess.spawn('scim-service', environment);
      await second.untilReadiness(200);
      expect(await second.end('SIGTERM')).toBe(0);
    },
    MINUTE_MS,
  );
});

describe('SIGTERM while the control plane starts', () => {
  it(
    'ends it although its database says nothing',
    async () => {
      await using database = await SilentServer.start();
      const url = `postgres://palisade:secret@${database.address}/palisade`;
      await using service = await ServiceProcess.spawn('control-plane', environmentOf('control-plane', url));
      await until(() => database.connections > 0);
      expect(EXPECTED_CODES).toContain(await service.end('SIGTERM'));
    },
    MINUTE_MS,
  );

  it.each([
    ['leads by a lease of the cluster', true],
    ['leads without the cluster', false],
  ])(
    'ends it although the API server of Kubernetes says nothing, and it %s',
    async (_, isLeaseOfCluster) => {
      await using cluster = await SilentServer.start();
      const SVC_CONTROL_CONFIG = writeConfiguration(cluster.address, isLeaseOfCluster);
      const environment = { ...environmentOf('control-plane', 'memory:'), SVC_CONTROL_CONFIG };
      await using service = await ServiceProcess.spawn('control-plane', environment);
      await until(() => cluster.connections > 0);
      expect(EXPECTED_CODES).toContain(await service.end('SIGTERM'));
    },
    MINUTE_MS,
  );
});

function writeConfiguration(apiServer: string, isLeaseOfCluster: boolean): string {
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    `
apiVersion: v1
kind: Config
current-context: test
contexts: [{ name: test, context: { cluster: test, user: test } }]
clusters: [{ name: test, cluster: { server: "https://${apiServer}" } }]
users: [{ name: test, user: { token: a-token } }]
`,
  );
  const path = join(directory, 'control-plane.yaml');
  writeFileSync(
    path,
    `
proxy_pools: { standard: { isolation_level: namespace } }
kubernetes: { kubeconfig_file: ${kubeconfig}, watch_tenants: true, leader_election: ${isLeaseOfCluster} }
`,
  );
  return path;
}
