import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readConfiguration } from '../apps/control-plane/src/config/read-settings.js';
import { readComposeFile, readText, variablesIn } from './support/compose-file.js';
import { requireBinary } from './support/test-services.js';

const DIRECTORY = join(import.meta.dirname, '../deploy/compose');
const { services } = readComposeFile();

interface Run {
  readonly code: number | null;
  readonly text: string;
}

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Run {
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { env: { PATH, ...env }, encoding: 'utf8' });
  return { code: status, text: stdout + stderr };
}

describe('settings of docker-compose.yml', () => {
  it.each(['control-plane.yaml', 'control-plane.proxies.yaml'])('have a %s that the control plane takes', (file) => {
    expect(readConfiguration(join(DIRECTORY, file)).problems).toEqual([]);
  });

  it('have HAProxy where the control plane looks for it', () => {
    const { load_balancer: balancer } = parse(readText('deploy/compose/control-plane.proxies.yaml')) as {
      readonly load_balancer: Readonly<Record<string, string>>;
    };
    const command = services['haproxy']?.command?.join(' ') ?? '';
    expect(command).toContain(`-S ${balancer['master_socket']},`);
    expect(command).toContain(`-f ${balancer['config_path']}`);
    const shared = ['control-plane', 'haproxy'].map((name) =>
      services[name]?.volumes?.map((each) => each.split(':')[1]),
    );
    for (const file of [balancer['config_path'], balancer['runtime_socket'], balancer['master_socket']]) {
      expect(shared.map((targets) => targets?.includes(dirname(file ?? '')))).toEqual([true, true]);
    }
  });

  it('have a haproxy.cfg that HAProxy takes', () => {
    const { code, text } = run(requireBinary('haproxy'), ['-c', '-f', join(DIRECTORY, 'haproxy.cfg')]);
    expect([code, text]).toEqual([0, expect.not.stringContaining('WARNING')]);
  });

  it('have a nats.conf that NATS takes', () => {
    const env = { NATS_PASSWORD: 'p123e4' };
    expect(run(requireBinary('nats-server'), ['-t', '-c', join(DIRECTORY, 'nats.conf')], env).code).toBe(0);
  });

  it('have a prometheus.yaml that Prometheus takes', () => {
    const file = join(DIRECTORY, '../prometheus/prometheus.yaml');
    expect(run(requireBinary('promtool'), ['check', 'config', '--syntax-only', file]).code).toBe(0);
  });

  it('have an otel-collector.yaml whose pipelines name what it has, and send to a service', () => {
    const { service, exporters, ...components } = parse(readText('deploy/compose/otel-collector.yaml')) as Collector;
    for (const pipeline of Object.values(service.pipelines)) {
      for (const [kind, names] of Object.entries(pipeline)) {
        const defined = Object.keys({ ...components, exporters }[kind as keyof typeof pipeline] ?? {});
        expect(defined).toEqual(expect.arrayContaining([...names]));
      }
    }
    const hosts = Object.values(exporters).map(({ endpoint }) => new URL(endpoint).hostname);
    expect(hosts.filter((host) => !(host in services))).toEqual([]);
  });
});

interface Collector {
  readonly receivers: object;
  readonly processors: object;
  readonly exporters: Readonly<Record<string, { readonly endpoint: string }>>;
  readonly service: {
    readonly pipelines: Readonly<Record<string, Readonly<Record<'receivers' | 'processors' | 'exporters', string[]>>>>;
  };
}

describe('containers of docker-compose.yml', () => {
  const script = (name: string): string[] => [join(DIRECTORY, name)];
  const inline = (name: string): string[] => {
    const { entrypoint = [], command = [] } = services[name] ?? {};
    return [...entrypoint, ...command].slice(1).map((part) => part.replaceAll('$$', '$'));
  };

  it.each([
    ['redis', 'REDIS_ADMIN_PASSWORD', script('redis.sh'), {}],
    ['redis', 'REDIS_PASSWORD', script('redis.sh'), { REDIS_ADMIN_PASSWORD: 'p1' }],
    ['kafka', 'KAFKA_PASSWORD', script('kafka.sh'), {}],
    ['nats', 'NATS_PASSWORD', inline('nats'), {}],
    ['data-database', 'DATA_ADMIN_PASSWORD', inline('data-database'), {}],
    ['data-database', 'DATA_PROXY_PASSWORD', inline('data-database'), { DATA_ADMIN_PASSWORD: 'p1' }],
    ['grafana', 'GRAFANA_ADMIN_PASSWORD', inline('grafana'), {}],
  ])('do not run %s without %s', (_, variable, args, env) => {
    const { code, text } = run('sh', args, env);
    expect([code === 0, text]).toEqual([false, expect.stringMatching(new RegExp(`${variable}.* is required`))]);
  });
});

describe('deploy/compose/make-env.sh', () => {
  let root: string;
  const makeEnv = (...profiles: string[]): Run => run('sh', [join(root, 'deploy/compose/make-env.sh'), ...profiles]);
  const readEnv = (): Record<string, string | undefined> => ({ ...parseEnv(readFileSync(join(root, '.env'), 'utf8')) });

  beforeEach(() => {
    requireBinary('openssl');
    root = mkdtempSync(join(tmpdir(), 'palisade-make-env-'));
    mkdirSync(join(root, 'deploy/compose'), { recursive: true });
    cpSync(join(DIRECTORY, 'make-env.sh'), join(root, 'deploy/compose/make-env.sh'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('makes what both services need, in a file that nobody else can read', () => {
    expect(makeEnv()).toEqual({ code: 0, text: '' });
    expect(readEnv()).toEqual({
      COMPOSE_PROFILES: '',
      POSTGRES_PASSWORD: expect.stringMatching(/^p[0-9a-f]{48}$/),
      STORE_PASSWORD: expect.stringMatching(/^p[0-9a-f]{48}$/),
      SVC_SCIM_BEARER_TOKEN: expect.stringMatching(/^p[0-9a-f]{48}$/),
      SVC_ADMIN_TOKEN: expect.stringMatching(/^p[0-9a-f]{48}$/),
    });
    expect(statSync(join(root, '.env')).mode & 0o777).toBe(0o600);
  });

  it('makes every secret that profiles need, each another one', () => {
    makeEnv('proxies', 'backends', 'observability', 'tracing');
    const env = readEnv();
    expect(env['COMPOSE_PROFILES']).toBe('proxies,backends,observability,tracing');
    const secrets = [...variablesIn(readText('docker-compose.yml'))].filter((name) =>
      /PASSWORD$|TOKEN$|SECRET$/.test(name),
    );
    const values = secrets.map((name) => env[name]);
    expect(secrets.filter((name) => env[name] === undefined)).toEqual([]);
    expect(new Set(values).size).toBe(secrets.length);
  });

  it('lets the control plane know the token of data proxies by its digest', () => {
    makeEnv('proxies');
    const { DATA_PROXY_CONTROL_TOKEN: token = '', CONTROL_PLANE_PROXY_TOKEN_DIGESTS: digests } = readEnv();
    expect(digests).toBe(`data-proxies:${createHash('sha256').update(token).digest('hex')}:standard`);
  });

  it('leaves a file alone that is there', () => {
    makeEnv();
    const before = readEnv();
    expect(makeEnv('proxies')).toEqual({ code: 1, text: expect.stringContaining('exists already') });
    expect(readEnv()).toEqual(before);
  });

  it('makes nothing where nothing random is to be had', () => {
    writeFileSync(join(root, 'openssl'), '#!/bin/sh\nexit 1\n', { mode: 0o700 });
    const env = { PATH: `${root}:${process.env['PATH']}` };
    const { code } = run('sh', [join(root, 'deploy/compose/make-env.sh')], env);
    expect([code === 0, readdirSync(root).toSorted()]).toEqual([false, ['deploy', 'openssl']]);
  });

  it('rejects a profile that there is not', () => {
    expect(makeEnv('proxys')).toEqual({ code: 2, text: expect.stringContaining('no profile "proxys"') });
  });
});
