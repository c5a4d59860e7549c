import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readComposeFile, readText, variablesIn, withDefaults, type ComposeService } from './support/compose-file.js';

const ROOT = join(import.meta.dirname, '..');
const TEXT = readText('docker-compose.yml');
const COMPOSE = readComposeFile();
const SERVICES = Object.entries(COMPOSE.services);
const ours = SERVICES.filter(([, { image }]) => image.startsWith('palisade/'));
const others = SERVICES.filter(([, { image }]) => !image.startsWith('palisade/'));
const { version } = JSON.parse(readText('package.json')) as { readonly version: string };

/** Who says so, of services to which a rule does not apply. */
function failing(services: typeof SERVICES, holds: (service: ComposeService) => boolean | undefined): string[] {
  return services.filter(([, service]) => holds(service) !== true).map(([name]) => name);
}

describe('docker-compose.yml', () => {
  it('is what the Compose Specification allows', () => {
    const schema = JSON.parse(readText('test/fixtures/compose/compose-spec.schema.json')) as object;
    const validate = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    expect(validate(COMPOSE) ? [] : validate.errors).toEqual([]);
  });

  it('names a version of each image, ours being that of package.json', () => {
    const images = SERVICES.map(([name, { image }]) => [name, withDefaults(image).split(':')[1] ?? 'latest'] as const);
    expect(images.filter(([, tag]) => !/^v?\d+\.\d+/.test(tag))).toEqual([]);
    expect(new Set(ours.map(([, { image }]) => withDefaults(image).split(':')[1]))).toEqual(new Set([version]));
  });

  it('mounts only what is in the workspace, and volumes that it declares', () => {
    const sources = SERVICES.flatMap(([, { volumes = [] }]) =>
      volumes.map((each) => withDefaults(each).split(':')[0] ?? ''),
    );
    expect(sources.filter((source) => !existsSync(join(ROOT, source)) && !(source in COMPOSE.volumes))).toEqual([]);
    expect(Object.keys(COMPOSE.volumes).filter((name) => !sources.includes(name))).toEqual([]);
  });

  it('has no variable that deploy/compose/env.example does not have, nor the other way round', () => {
    const documented = readText('deploy/compose/env.example').matchAll(/^(\w+)=/gm);
    const names = new Set([...documented].flatMap(([, name]) => name ?? []));
    expect(names).toEqual(new Set([...variablesIn(TEXT), 'COMPOSE_PROFILES']));
  });

  it('holds no secret itself', () => {
    const literal = SERVICES.flatMap(([name, { environment = {} }]) =>
      Object.entries(environment)
        .filter(
          ([key, value]) => /PASSWORD|TOKEN|SECRET|_URL$/.test(key) && /\/\/\w+:(?!\$)|^(?!.*[/$]).+$/.test(`${value}`),
        )
        .map(([key]) => `${name}: ${key}`),
    );
    expect(literal).toEqual([]);
  });

  it('demands the secrets that are always needed', () => {
    const demanded = [...TEXT.matchAll(/(?<!\$)\$\{(\w+):\?/g)].map(([, name]) => name);
    expect(new Set(demanded)).toEqual(
      new Set(['POSTGRES_PASSWORD', 'STORE_PASSWORD', 'SVC_SCIM_BEARER_TOKEN', 'SVC_ADMIN_TOKEN']),
    );
  });

  it('publishes ports on loopback unless it is told otherwise', () => {
    const ports = SERVICES.flatMap(([, service]) => service.ports ?? []);
    expect(ports.filter((port) => !withDefaults(port).startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('starts what a service waits for in every profile that starts the service', () => {
    const missing = SERVICES.flatMap(([name, { depends_on: needs = {}, profiles = [] }]) =>
      Object.entries(needs)
        .filter(([need, { required }]) => {
          const given = COMPOSE.services[need]?.profiles ?? [];
          return (
            required !== false && given.length > 0 && !(profiles.length > 0 && profiles.every((p) => given.includes(p)))
          );
        })
        .map(([need]) => `${name}: ${need}`),
    );
    expect(missing).toEqual([]);
  });

  it('waits for the health only of what has a health check', () => {
    const checked = ([name, { healthcheck, build }]: (typeof SERVICES)[number]): string[] =>
      healthcheck?.disable !== true && (healthcheck?.test ?? build) !== undefined ? [name] : [];
    const healthy = new Set(SERVICES.flatMap(checked));
    const waits = SERVICES.flatMap(([, { depends_on: needs = {} }]) => Object.entries(needs));
    const awaited = waits.filter(([, { condition }]) => condition === 'service_healthy').map(([name]) => name);
    expect(awaited.filter((name) => !healthy.has(name))).toEqual([]);
    expect(failing(SERVICES, ({ healthcheck, build }) => (healthcheck ?? build) !== undefined)).toEqual([
      'data-database',
      'otel-collector',
      'jaeger',
    ]);
  });
});

describe('services of docker-compose.yml', () => {
  it('have no capabilities, and get none by programs', () => {
    expect(failing(SERVICES, ({ cap_drop: dropped }) => dropped?.includes('ALL'))).toEqual([]);
    expect(failing(SERVICES, ({ security_opt: options }) => options?.includes('no-new-privileges:true'))).toEqual([]);
    expect(failing(SERVICES, ({ cap_add: added }) => added === undefined)).toEqual(['postgres']);
  });

  it('are separate from the machine', () => {
    const isSeparate = ({ privileged, network_mode: network, volumes = [] }: ComposeService): boolean =>
      privileged === undefined && network === undefined && !volumes.some((volume) => volume.startsWith('/'));
    expect(failing(SERVICES, isSeparate)).toEqual([]);
  });

  it('have limits', () => {
    expect(
      failing(SERVICES, ({ mem_limit: memory, pids_limit: processes }) => (memory && processes) !== undefined),
    ).toEqual([]);
  });

  it('cannot write to their images, but for PostgreSQL', () => {
    expect(failing(SERVICES, ({ read_only: isReadOnly }) => isReadOnly)).toEqual(['postgres']);
  });

  it('run, where they are ours, as the user of their image, below an init process', () => {
    expect(failing(ours, ({ user, init }) => user === undefined && init)).toEqual([]);
  });

  it('have, where they are ours, more time to stop than requests have to finish', () => {
    const grace = /`SVC_SHUTDOWN_GRACE` \|[^|]*\| `(\d+)s`/.exec(readText('docs/configuration.md'))?.[1];
    expect(failing(ours, ({ stop_grace_period: period }) => Number.parseInt(period ?? '', 10) > Number(grace))).toEqual(
      [],
    );
  });

  it('come back by themselves, but for the steps before them', () => {
    expect(failing(SERVICES, ({ restart }) => restart === 'unless-stopped')).toEqual(['migrate', 'data-database']);
  });

  it('are known to what they are configured with', () => {
    const files = globSync('deploy/{compose/*.yaml,prometheus/prometheus.yaml,grafana/provisioning/**/*.yaml}', {
      cwd: ROOT,
    });
    const urls = [TEXT, ...files.map(readText)].join('\n').matchAll(/(?:@|https?:\/\/)([a-z][a-z0-9-]*):\d+/g);
    const hosts = new Set([...urls].flatMap(([, host]) => host ?? []));
    expect([...hosts].filter((host) => !(host in COMPOSE.services))).toEqual([]);
  });

  it('are not ours where somebody else made the image', () => {
    expect(failing(others, ({ build }) => build === undefined)).toEqual([]);
    expect(failing(ours, ({ build }) => build !== undefined && existsSync(join(ROOT, build.dockerfile)))).toEqual([]);
  });
});
