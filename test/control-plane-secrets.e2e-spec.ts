import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlantedInstallation } from './support/secrets/planted-installation.js';
import { PlantedSecrets } from './support/secrets/planted-secrets.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';

const MINUTE_MS = 60_000;
const COMPONENTS = ['audit', 'kubernetes', 'load_balancer', 'provisioning'];

describe.each([
  ['everything that it has secrets for is unreachable', false],
  ['no file with secrets can be read as what it is to be', true],
])('what leaves the control plane while %s', (_, isBroken) => {
  const secrets = new PlantedSecrets();
  const installation = new PlantedInstallation(secrets, { isBroken });
  const answers: string[] = [];
  let service: ServiceProcess;

  beforeAll(async () => {
    service = await ServiceProcess.spawn('control-plane', installation.environment);
    await service.untilReadiness(200);
    await register();
    await untilAllHaveFailed();
    await askForEverything();
    await sendSecrets();
    await service.end('SIGTERM');
  }, MINUTE_MS);
  afterAll(async () => {
    await service.end('SIGKILL');
    installation[Symbol.dispose]();
  });

  /** Keeps the whole answer, head and body. */
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const authorized = { Authorization: `Bearer ${secrets.plant('admin token')}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${service.origin}${path}`, { ...init, headers: { ...authorized, ...init.headers } });
    answers.push(JSON.stringify([...response.headers]), await response.clone().text());
    return response;
  }

  async function register(): Promise<void> {
    const tenant = { tenant_id: 'acme', namespace_pattern: 'acme', pool: 'standard' };
    const proxy = { id: 'standard-1', pool: 'standard', host: '127.0.0.1', port: 1 };
    expect((await ask('/api/v1/tenants', { method: 'POST', body: JSON.stringify(tenant) })).status).toBe(201);
    expect((await ask('/api/v1/proxies', { method: 'POST', body: JSON.stringify(proxy) })).status).toBe(201);
  }

  async function untilAllHaveFailed(): Promise<void> {
    await until(async () => {
      const { components } = (await (await ask('/api/v1/status')).json()) as {
        readonly components: readonly { readonly component: string }[];
      };
      const told = new Set(components.map(({ component }) => component));
      return COMPONENTS.every((component) => told.has(component));
    });
    await ask('/api/v1/loadbalancer/reload', { method: 'POST' });
  }

  async function askForEverything(): Promise<void> {
    const paths = [
      'status',
      'tenants',
      'pools',
      'proxies',
      'log',
      'log/seal',
      'log/verify',
      'loadbalancer/status',
      'sizing',
    ];
    for (const path of [...paths.map((each) => `/api/v1/${each}`), '/metrics', '/docs-json', '/docs']) {
      await ask(path);
    }
    for (const path of ['/health/live', '/health/ready']) {
      expect((await ask(path)).status).toBe(200);
    }
  }

  /** Where clients put them by mistake. */
  async function sendSecrets(): Promise<void> {
    const secret = secrets.plant('secret of a client');
    const post = (body: string): Promise<Response> => ask('/api/v1/tenants', { method: 'POST', body });
    const statuses = [
      await ask('/api/v1/tenants', { headers: { Authorization: `Bearer ${secret}` } }),
      await ask('/api/v1/tenants', { headers: { Authorization: `Basic ${btoa(`admin:${secret}`)}` } }),
      await ask('/api/v1/tenants', { headers: { Authorization: secret, Cookie: `session=${secret}` } }),
      await ask(`/api/v1/tenants?access_token=${secret}`),
      await post(`{"tenant_id": "beta", "password": "${secret}"}`),
      await post(`{"password": {"value": "${secret}"}, "tenant_id": ["${secret}"]}`),
      await post(`{"password": "${secret}`),
      await post(`${secret}`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 400, 400, 400, 400, 400]);
  }

  it('is no secret in its output, at the most talkative level', () => {
    expect(service.output).toContain('"path":"/api/v1/tenants"');
    expect(secrets.foundIn(service.output)).toEqual([]);
  });

  it('is no secret in any answer', () => {
    expect(answers.join('\n')).toContain('"component":"kubernetes"');
    expect(secrets.foundIn(answers.join('\n'))).toEqual([]);
  });

  it('is no secret in the configuration of the load balancer', () => {
    const entries = readdirSync(installation.directory, { recursive: true, withFileTypes: true });
    const written = entries.filter((entry) => entry.isFile() && join(entry.parentPath, entry.name).includes('nginx'));
    const content = written.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
    // One that does not pass its check is not kept.
    expect(content.includes('ssl_certificate')).toBe(!isBroken);
    expect(secrets.foundIn(content)).toEqual([]);
  });
});
