import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Palisade } from '../cli/test/support/palisade.js';
import { PlantedInstallation } from './support/secrets/planted-installation.js';
import { PlantedSecrets } from './support/secrets/planted-secrets.js';
import { WorkingInstallation } from './support/secrets/working-installation.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';

const TWO_MINUTES_MS = 120_000;

interface Component {
  readonly component: string;
  readonly detail?: { readonly backends?: readonly BackendReport[] };
}

interface BackendReport {
  readonly revision: number;
  readonly pending: readonly unknown[];
}

describe('what the control plane writes while everything works', () => {
  const secrets = new PlantedSecrets();
  let installation: WorkingInstallation;
  let service: ServiceProcess;
  let output = '';
  let answers = '';

  beforeAll(async () => {
    installation = await WorkingInstallation.start(secrets);
    await start();
    const tenant = { tenant_id: installation.namespace, namespace_pattern: installation.namespace, pool: 'standard' };
    await ask('/tenants', { method: 'POST', body: JSON.stringify(tenant) });
    await until(isProvisioned);
    await until(() => installation.rendered.includes(installation.namespace));
    await end();
    // What was done so far is exported when it starts, and then only every five minutes.
    await start();
    await until(() => installation.exported.includes(installation.namespace));
    await end();
  }, TWO_MINUTES_MS);
  afterAll(async () => {
    await service.end('SIGKILL');
    await installation[Symbol.asyncDispose]();
  });

  async function start(): Promise<void> {
    service = await ServiceProcess.spawn('control-plane', installation.environment);
    await service.untilReadiness(200);
  }

  async function end(): Promise<void> {
    expect(await service.end('SIGTERM')).toBe(0);
    output += service.output;
  }

  async function ask(path: string, init: RequestInit = {}): Promise<string> {
    const headers = { Authorization: `Bearer ${secrets.plant('admin token')}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${service.origin}/api/v1${path}`, { ...init, headers });
    expect(response.ok).toBe(true);
    const text = await response.text();
    answers += `${JSON.stringify([...response.headers])}\n${text}\n`;
    return text;
  }

  async function isProvisioned(): Promise<boolean> {
    const { revision, components } = JSON.parse(await ask('/status')) as {
      readonly revision: number;
      readonly components: readonly Component[];
    };
    const { backends = [] } = components.find(({ component }) => component === 'provisioning')?.detail ?? {};
    return backends.length === 2 && backends.every((each) => each.revision >= revision && each.pending.length === 0);
  }

  it('holds no secret, to its output, at the most talkative level', () => {
    expect(output).toContain('"path":"/api/v1/tenants"');
    expect(secrets.foundIn(output)).toEqual([]);
  });

  it('holds no secret, to clients', () => {
    expect(secrets.foundIn(answers)).toEqual([]);
  });

  it('holds no secret, to the files that it exports its audit trail to', () => {
    expect(secrets.foundIn(installation.exported)).toEqual([]);
  });

  it('holds no secret, to the configuration and the maps of HAProxy', () => {
    expect(secrets.foundIn(installation.rendered)).toEqual([]);
  });
});

describe('what the control plane prints of its configuration', () => {
  it.each([
    ['print', false],
    ['print', true],
    ['validate', false],
    ['validate', true],
  ])('holds no secret: config %s, with files that cannot be read: %s', async (command, isBroken) => {
    const secrets = new PlantedSecrets();
    using installation = new PlantedInstallation(secrets, { isBroken });
    const { SVC_CONTROL_CONFIG: file = '' } = installation.environment;
    const { out, error } = await Palisade.start(['config', command, file]).ended();
    expect(`${out}${error}`).not.toBe('');
    expect(secrets.foundIn(`${out}${error}`)).toEqual([]);
  });
});
