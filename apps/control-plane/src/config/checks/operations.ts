import { BACKEND_KINDS } from '@palisade/domain';
import { formatDurationMs } from '@palisade/isolation/settings';
import type { FileReport } from '../file-report.js';
import { resolvePools } from '../resolve-pools.js';
import { SHARED_ISOLATION } from '../schema/backends.js';
import type { ControlPlaneFile } from '../schema/control-plane-file.js';
import { formatAddress } from '../schema/places.js';
import { checkPoolExists } from './pools.js';

/** Tenants are separated in a way that the tenancy model allows. */
export function checkBackends({ deployment, backends }: ControlPlaneFile, report: FileReport): void {
  const isSingle = deployment.model === 'single_tenant';
  for (const kind of BACKEND_KINDS) {
    const backend = backends[kind];
    const path = ['backends', kind];
    if (backend === undefined || !report.hasForm(...path)) {
      continue;
    }
    if (backend.sslMode === 'disable' && backend.clientCertAuth === true) {
      report.problem([...path, 'client_cert_auth'], 'expected false with ssl_mode disable: certificates need TLS');
    }
    if (backend.provisioning !== undefined && isSingle) {
      report.warning(
        [...path, 'provisioning'],
        'has no effect in single_tenant: the backend belongs to the one tenant',
      );
    }
    const type = backend.isolation?.type;
    if (type === undefined || !report.isSound(...path, 'isolation', 'type')) {
      continue;
    }
    const expected = isSingle ? 'physical' : SHARED_ISOLATION[kind];
    if (type !== expected && report.isSound('deployment', 'model')) {
      report.problem([...path, 'isolation', 'type'], `expected ${expected} in ${deployment.model}, found "${type}"`);
    }
    for (const key of ['format', 'enable_rls', 'tenant_column']) {
      if (type === 'physical' && report.isGiven([...path, 'isolation', key])) {
        report.problem([...path, 'isolation', key], 'expected nothing with the type physical');
      }
    }
  }
  if (backends.postgres?.isolation?.enableRls === false) {
    report.problem(
      ['backends', 'postgres', 'isolation', 'enable_rls'],
      'expected true, as nothing else separates the rows of tenants',
    );
  }
}

/** There is a way to reload the load balancer, and a tenant that moves is served all the time. */
export function checkLoadBalancer({ loadBalancer, drainTimeoutMs }: ControlPlaneFile, report: FileReport): void {
  if (loadBalancer === undefined || !report.isSound('load_balancer', 'type')) {
    return;
  }
  const { type, reloadCommand, masterSocket, runtimeSocket, policyWaitMs } = loadBalancer;
  if (type !== 'haproxy') {
    for (const [name, value] of Object.entries({ master_socket: masterSocket, runtime_socket: runtimeSocket })) {
      if (value !== undefined) {
        report.problem(['load_balancer', name], `expected nothing with ${type}: only haproxy has such a socket`);
      }
    }
  } else if (reloadCommand === undefined && masterSocket === undefined && report.isSound('load_balancer')) {
    report.problem(['load_balancer'], 'expected master_socket or reload_command, as haproxy has to be told to reload');
  }
  if (
    drainTimeoutMs < policyWaitMs &&
    report.isSound('drain_timeout') &&
    report.isSound('load_balancer', 'policy_wait')
  ) {
    report.expected(
      ['drain_timeout'],
      `at least load_balancer.policy_wait (${formatDurationMs(policyWaitMs)}), for which a tenant that moves is still sent to the pool that it leaves, which would answer 421`,
    );
  }
}

/** What is discovered belongs to pools that exist, each address once. */
export function checkDiscovery(file: ControlPlaneFile, report: FileReport): void {
  const { serviceDiscovery: discovery } = file;
  const pools = new Set(resolvePools(file).keys());
  const section = 'service_discovery';
  if (discovery?.type === 'static') {
    const indexByEndpoint = new Map<string, number>();
    for (const [index, { pool, endpoint }] of (discovery.proxies ?? []).entries()) {
      const path = [section, 'proxies', index];
      if (!report.isSound(...path)) {
        continue;
      }
      checkPoolExists(pools, pool, [...path, 'pool'], report);
      const address = formatAddress(endpoint);
      const first = indexByEndpoint.get(address);
      if (first !== undefined) {
        report.expected([...path, 'endpoint'], `another address than that of proxies[${first}]`);
      }
      indexByEndpoint.set(address, first ?? index);
    }
  }
  if (discovery?.type === 'dns_srv') {
    for (const pool of discovery.services?.keys() ?? []) {
      checkPoolExists(pools, pool, [section, 'services', pool], report);
    }
  }
}

/** Times that depend on each other. */
export function checkHealth({ healthChecks }: ControlPlaneFile, report: FileReport): void {
  const { intervalMs, timeoutMs, heartbeatTimeoutMs, forgetAfterMs } = healthChecks;
  const areSound = (...keys: readonly string[]): boolean => keys.every((key) => report.isSound('health_checks', key));
  if (areSound('timeout', 'interval') && timeoutMs > intervalMs) {
    report.expected(['health_checks', 'timeout'], `at most the interval (${formatDurationMs(intervalMs)})`);
  }
  if (areSound('heartbeat_timeout', 'forget_after') && forgetAfterMs <= heartbeatTimeoutMs) {
    report.expected(
      ['health_checks', 'forget_after'],
      `more than heartbeat_timeout (${formatDurationMs(heartbeatTimeoutMs)})`,
    );
  }
}
