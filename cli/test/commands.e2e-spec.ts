import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parsePoolName, parseProxyId, verifyLog } from '@palisade/domain';
import { PostgresStore } from '@palisade/storage';
import { createScratchDatabase } from '../../libs/storage/test/scratch-database.js';
import { until } from '../../test/support/until.js';
import { CuttingGateway } from './support/cutting-gateway.js';
import { Palisade } from './support/palisade.js';
import { ADMIN_TOKEN, SCIM_TOKEN, Services } from './support/services.js';

const PRUNE_LOG = join(import.meta.dirname, '../../dist/apps/scim-service/src/prune-log.js');
const MIGRATE = join(import.meta.dirname, '../../dist/apps/scim-service/src/migrate.js');
const GROUP = 'group:scim:default:seed-1-group-000001';
const ANN = 'user:scim:default:seed-1-user-000001';

describe('palisade', () => {
  let services: Services;
  beforeEach(async () => {
    services = await Services.start();
  });
  afterEach(() => services[Symbol.asyncDispose]());

  /** What a command that succeeds prints. */
  async function run(...arguments_: readonly string[]): Promise<string> {
    const { code, out, error } = await services.run(...arguments_);
    expect([code, error]).toEqual([0, '']);
    return out;
  }

  async function addProxy(id: string): Promise<void> {
    const draft = { pool: parsePoolName('standard'), host: '10.0.0.7', port: 8080, weight: 100, isDraining: false };
    await services.control.store.proxies.put(parseProxyId(id), 'registration', draft, {
      actor: 'test',
      at: new Date(),
    });
  }

  it.each(['--version', '-V'])('says which version it is with %s', async (option) => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await run(option)).toBe(`${version}\n`);
  });

  describe('audit --follow', () => {
    const following = new Set<Palisade>();
    afterEach(() => following.forEach(({ child }) => child.kill('SIGKILL')));

    /** Follows with these arguments; `printed` gathers what it writes. */
    function follow(...arguments_: readonly string[]) {
      const command = Palisade.start(['audit', '--follow', ...arguments_], services.env);
      following.add(command);
      let printed = '';
      command.child.stdout?.on('data', (text: string) => {
        printed += text;
      });
      return { command, printed: () => printed, until: (text: string) => until(async () => printed.includes(text)) };
    }

    const register = (tenant: string) => run('tenant', 'register', tenant, '--patterns', tenant, '--pool', 'standard');

    it('lists what is new, and only that, until it is interrupted', async () => {
      const seal = async () => {
        while ((await services.control.store.log.seal()) > 0);
      };
      await register('before');
      await seal();
      const { command, printed, until: untilPrinted } = follow();
      await until(async () => {
        await services.control.store.log.append([
          { timestamp: new Date(), userId: 'test', action: 'probe', resource: 'probe', result: 'success' },
        ]);
        await seal();
        return printed().includes('probe');
      });
      await register('first');
      await untilPrinted('tenant:first');
      await register('second');
      await untilPrinted('tenant:second');
      expect(printed()).not.toContain('tenant:before');
      expect(printed().match(/^POSITION/gm)).toHaveLength(1);
      command.child.kill('SIGINT');
      expect(await command.ended()).toMatchObject({ code: 0, error: '' });
    });

    it('prints a line of JSON for each record, from the position that it is given', async () => {
      await register('first');
      const { command, printed, until: untilPrinted } = follow('--after', '0', '--json', '--action', 'tenant.register');
      await untilPrinted('tenant:first');
      await register('second');
      await untilPrinted('tenant:second');
      const records = printed()
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { resource: string }).resource);
      expect(records).toEqual(['tenant:first', 'tenant:second']);
      command.child.kill('SIGTERM');
      expect((await command.ended()).code).toBe(0);
    });

    it('goes on after the service was unreachable, and says so once', async () => {
      const gateway = await CuttingGateway.start(services.control.url);
      const { command, until: untilPrinted } = follow('--url', gateway.url, '--after', '0');
      await register('first');
      await untilPrinted('tenant:first');
      gateway.target = 'http://127.0.0.1:1';
      let told = '';
      command.child.stderr?.on('data', (text: string) => {
        told += text;
      });
      await register('second');
      await until(async () => told.includes('trying again'));
      gateway.target = services.control.url;
      await untilPrinted('tenant:second');
      command.child.kill('SIGINT');
      const { code, error } = await command.ended();
      expect([code, error.match(/trying again/g)?.length]).toEqual([0, 1]);
      await gateway[Symbol.asyncDispose]();
    });

    it('ends when the service rejects it for good', async () => {
      const ended = await Palisade.start(['log', 'list', '--follow'], {
        ...services.env,
        PALISADE_TOKEN: 'unknown',
      }).ended();
      expect(ended).toMatchObject({ code: 1, error: expect.stringContaining('UNAUTHENTICATED') });
    });
  });

  it('manages providers', async () => {
    await run('provider', 'create', 'entra-eu', '--dialect', 'entra', '--display-name', 'Entra');
    expect(await run('provider', 'show', 'entra-eu')).toMatch(/^dialect +entra$/m);
    expect(await run('provider', 'list')).toMatch(/^entra-eu +Entra +entra/m);
    expect(await run('provider', 'delete', 'entra-eu', '--yes')).toBe('done\n');
    expect(await services.run('provider', 'show', 'entra-eu')).toEqual({
      code: 1,
      out: '',
      error: expect.stringMatching(/^PROVIDER_NOT_FOUND: provider "entra-eu" does not exist \(request id [\w-]+\)\n$/),
    });
  });

  it('prints the secret of a token once', async () => {
    await run('provider', 'create', 'okta');
    const created = JSON.parse(await run('token', 'create', 'okta', '--json')) as { id: string; secret: string };
    const list = await run('token', 'list', 'okta');
    expect(list).toContain(created.id);
    expect(list).not.toContain(created.secret);
    const rotated = JSON.parse(await run('token', 'rotate', 'okta', created.id, '--json')) as { id: string };
    await run('token', 'revoke', 'okta', rotated.id, '--yes');
    expect(await run('token', 'list', 'okta')).toMatch(new RegExp(`^${rotated.id} .* revoked`, 'm'));
  });

  it('seeds the same users and groups again and again', async () => {
    await run('seed', '--users', '20', '--groups', '3');
    const first = await run('group', 'show', 'seed-1-group-000002', '--json');
    expect(await run('seed', '--users', '20', '--groups', '3')).toBe('20 users and 3 groups of seed 1 exist now\n');
    expect(await run('group', 'show', 'seed-1-group-000002', '--json')).toBe(first);
    expect(await services.countUsers()).toBe(20);
  });

  it('answers who may do what', async () => {
    // One user and one group: its only member is that user.
    await run('seed', '--users', '1', '--groups', '1');
    await run('binding', 'add', GROUP, 'acme-orders', '--relation', 'write');
    expect(await run('binding', 'list')).toMatch(/^acme-orders +write +group:scim/m);
    expect(await run('access', 'check', ANN, 'acme-orders')).toMatch(/^allowed +true$/m);
    expect(await run('access', 'explain', ANN, 'acme-orders')).toContain(GROUP);
    expect(await run('access', 'who', 'acme-orders')).toContain(ANN);
    expect(await run('access', 'what', ANN)).toContain('acme-orders');
    const denied = await services.run('access', 'explain', ANN, 'acme-orders', '--relation', 'admin');
    expect([denied.code, denied.out]).toEqual([
      1,
      expect.stringMatching(/^weaker_relation\n[^]*\nWhat the user may do:\n\n.*\nacme-orders +write +group:scim/m),
    ]);
    expect((await services.run('access', 'check', ANN, 'acme-orders', '--relation', 'admin')).code).toBe(1);
    await run('binding', 'remove', GROUP, 'acme-orders', 'write', '--yes');
    expect((await services.run('access', 'check', ANN, 'acme-orders')).code).toBe(1);
  });

  it('takes users and groups by e-mail address and name, unless several have it', async () => {
    await run('seed', '--users', '2', '--groups', '1');
    const { displayName } = JSON.parse(await run('group', 'show', GROUP, '--json')) as { displayName: string };
    const email = 'seed-1-user-000001@example.com';
    expect(await run('user', 'show', email)).toContain(ANN);
    expect(await run('group', 'show', displayName)).toContain(GROUP);
    await run('binding', 'add', displayName, 'acme-orders', '--relation', 'write');
    expect(await run('access', 'check', email, 'acme-orders')).toMatch(/^allowed +true$/m);
    expect((await services.run('user', 'show', 'no " body')).code).toBe(1);

    const twins = ['a', 'b'].map((id) => JSON.stringify({ externalId: id, userName: id, displayName: 'Twin' }));
    const directory = await mkdtemp(join(tmpdir(), 'palisade-twins-'));
    await writeFile(join(directory, 'twins.ndjson'), twins.join('\n'));
    await services.run('import', 'users', join(directory, 'twins.ndjson'));
    const { code, error } = await services.run('user', 'show', 'Twin');
    expect([code, error]).toEqual([
      2,
      'user:scim:default:a  a  Twin\nuser:scim:default:b  b  Twin\n"Twin" is more than one user: give the id\n',
    ]);
    await rm(directory, { recursive: true });
  });

  it('exports tuples that fit the models of OpenFGA and SpiceDB', async () => {
    await run('seed', '--users', '4', '--groups', '2');
    await run('binding', 'add', GROUP, 'acme-orders', '--relation', 'write');
    interface Model {
      readonly type_definitions: {
        readonly type: string;
        readonly metadata?: {
          readonly relations: Record<
            string,
            { readonly directly_related_user_types: { type: string; relation?: string }[] }
          >;
        };
      }[];
    }
    const model = JSON.parse(await run('export', 'model', '--for', 'openfga')) as Model;
    const direct = new Set(
      model.type_definitions.flatMap(({ type, metadata }) =>
        Object.entries(metadata?.relations ?? {}).flatMap(([relation, { directly_related_user_types: users }]) =>
          users.map(
            (user) => `${type}#${relation}@${user.type}${user.relation === undefined ? '' : `#${user.relation}`}`,
          ),
        ),
      ),
    );
    const tuples = JSON.parse(await run('export', 'tuples', '--for', 'openfga')) as Record<
      'user' | 'relation' | 'object',
      string
    >[];
    const shapes = tuples.map(
      ({ user, relation, object }) => `${object.split(':')[0]}#${relation}@${user.replace(/:[^#]+/, '')}`,
    );
    expect(shapes).toContain('namespace#write@group#member');
    expect(shapes.filter((shape) => !direct.has(shape))).toEqual([]);

    const relationships = (await run('export', 'tuples', '--for', 'spicedb')).trim().split('\n');
    expect(relationships).toHaveLength(tuples.length);
    const form = /^[a-z]+:[\w/|=+-]+#[a-z]+@[a-z]+:[\w/|=+-]+(#member)?$/;
    expect(relationships.filter((line) => !form.test(line))).toEqual([]);
    expect(await run('export', 'model', '--for', 'spicedb')).toContain('permission can_read = read + can_write');
  });

  it('shows users and groups, deactivates and reconciles', async () => {
    await run('seed', '--users', '1', '--groups', '1');
    expect(await run('user', 'list', '--filter', 'active eq true')).toContain(ANN);
    expect(await run('user', 'show', 'seed-1-user-000001')).toContain('seed-1-user-000001@example.com');
    expect(await run('group', 'list')).toContain(GROUP);
    await run('user', 'deactivate', 'default', ANN, '--yes');
    await run('binding', 'add', GROUP, 'seeded', '--relation', 'read');
    const [header, ...affected] = (await run('reconcile', 'default')).trim().split('\n');
    expect(header).toMatch(/^USER ID +USER NAME +DISPLAY +GROUP ID +GROUP DISPLAY +NAMESPACES$/);
    expect(affected).toEqual([expect.stringMatching(`^${ANN} .* ${GROUP} .* seeded$`)]);
    await run('reconcile', 'default', '--apply', '--yes');
    expect((await run('reconcile', 'default')).trim().split('\n')).toHaveLength(1);
  });

  it('manages tenants and their routes', async () => {
    await run('tenant', 'register', 'acme', '--patterns', 'acme-*', 'acme', '--pool', 'premium', '--tier', 'premium');
    expect(await run('tenant', 'list')).toMatch(/^acme +acme-\*, acme|^acme +acme, acme-\*/m);
    expect(await run('tenant', 'show', 'acme')).toMatch(/^routing\.pools +premium$/m);
    expect(await run('route', 'resolve', 'acme-orders')).toMatch(/^pool +premium$/m);
    const explanation = await run('route', 'explain', '--namespace', 'acme-orders');
    expect(explanation).toMatch(
      /^Namespace "acme-orders" of tenant "acme" goes to the pool "premium" .*[^…]\n\nSTAGE +CANDIDATE +CHOSEN +REASON$/m,
    );
    const limits = ['--max-rps', '200', '--memory', '512MiB'];
    await run('tenant', 'replace', 'acme', '--patterns', 'acme', '--pool', 'standard', ...limits);
    const shown = await run('tenant', 'show', 'acme');
    expect(shown).toMatch(/^pool +standard$/m);
    expect(shown).toMatch(/^resource_limits\.memory +512Mi\nresource_limits\.max_rps +200$/m);
    expect(await run('tenant', 'remove', 'acme', '--yes')).toBe('done\n');
  });

  it('gets what there is of a kind, or one of them, as a table, JSON or YAML', async () => {
    await run('tenant', 'register', 'acme', '--patterns', 'acme', '--pool', 'premium');
    expect(await run('get', 'tenants', '--pool', 'premium')).toMatch(/^acme +acme +/m);
    expect(await run('get', 'tenant', 'acme')).toMatch(/^tenant_id +acme$/m);
    expect(await run('get', 'tenant', 'acme', '-o', 'yaml')).toMatch(
      /^tenant_id: acme\nnamespace_patterns:\n {2}- acme\n/,
    );
    expect(JSON.parse(await run('get', 'pools', '-o', 'json'))).toMatchObject({ items: [{}, { name: 'standard' }] });
    expect((await services.run('get', 'binding', 'x')).code).toBe(2);
  });

  it('tells programs about errors as JSON', async () => {
    const failed = await services.run('get', 'tenant', 'nowhere', '--json');
    expect([failed.code, failed.out, JSON.parse(failed.error)]).toEqual([
      1,
      '',
      {
        error: {
          code: 'TENANT_NOT_FOUND',
          detail: 'no tenant "nowhere" is registered',
          status: 404,
          request_id: expect.any(String),
        },
      },
    ]);
    for (const misuse of [
      ['get', 'tenant', '--nonsense', '-o', 'json'],
      ['tenant', '--json'],
      ['tenant', 'show', '..', '-ojson'],
    ]) {
      const { code, error } = await services.run(...misuse);
      expect([code, JSON.parse(error)]).toEqual([2, { error: { code: 'USAGE', detail: expect.any(String) } }]);
    }
    const unreachable = await services.run('pool', 'list', '--json', '--url', 'http://127.0.0.1:2');
    expect(JSON.parse(unreachable.error)).toMatchObject({ error: { code: 'UNREACHABLE' } });
  });

  it('says which versions run', async () => {
    expect(await run('version')).toMatch(/^palisade +\d+\.\d+\.\d+\nnode +\d+\./);
  });

  it('destroys nothing on a pipe without --yes, and says what would be gone', async () => {
    await run('provider', 'create', 'okta');
    await run('token', 'create', 'okta');
    await run('tenant', 'register', 'acme', '--patterns', 'acme', '--pool', 'premium');
    await addProxy('standard-1');
    await run('seed', '--users', '1', '--groups', '1');
    await run('binding', 'add', GROUP, 'acme-orders', '--relation', 'write');
    const { id: token } = JSON.parse(await run('token', 'create', 'okta', '--description', 'ours', '--json')) as {
      id: string;
    };
    const commands: [string[], RegExp][] = [
      [
        ['provider', 'delete', 'okta'],
        /provider "okta" .*users, groups[^]*tokens that will be gone: 2\nbindings .*: 0\n/,
      ],
      [['token', 'revoke', 'okta', token], /\(ours, last used never\) will be rejected/],
      [['tenant', 'remove', 'acme'], /tenant "acme" will be gone\nacme: routed to premium until now/],
      [['proxy', 'remove', 'standard-1'], /proxy "standard-1" \(10\.0\.0\.7:8080, unknown\) will be gone/],
      [['binding', 'remove', GROUP, 'acme-orders', 'write'], /\) will lose write on acme-orders\n/],
      [['user', 'deactivate', 'default', ANN], /will lose all access: write on acme-orders\n/],
      [['prune-log', '--days', '400'], /older than 400 days/],
    ];
    const before = await run('log', 'list', '--json');
    for (const [words, consequence] of commands) {
      expect(await services.run(...words)).toEqual({ code: 2, out: '', error: expect.stringMatching(consequence) });
    }
    expect(await run('log', 'list', '--json')).toBe(before);
    expect(await run('get', 'binding')).toContain('acme-orders');
    await run('user', 'deactivate', 'default', ANN, '--yes');
    const { code, error } = await services.run('reconcile', 'default', '--apply');
    expect([code, error]).toEqual([
      2,
      expect.stringMatching(/^seed-1-user-000001@example\.com \(.*\) will not be in group:.* any more\n/),
    ]);
    expect(await run('reconcile', 'default')).toContain('seed-1-user-000001');
  });

  it('takes a tenant from a file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'palisade-tenant-'));
    const path = join(directory, 'tenant.json');
    const tenant = {
      namespace_patterns: ['acme'],
      pool: 'standard',
      connection_pools: { redis: { max_connections: 5 } },
    };
    await writeFile(path, JSON.stringify(tenant));
    await run('tenant', 'register', 'acme', '--file', path, '--pool', 'premium');
    expect(JSON.parse(await run('tenant', 'show', 'acme', '--json'))).toMatchObject({ ...tenant, pool: 'premium' });
    await rm(directory, { recursive: true });
  });

  it('shows pools and drains proxies', async () => {
    await addProxy('standard-1');
    expect(await run('pool', 'list')).toMatch(/^standard +namespace +2 +0/m);
    expect(await run('pool', 'show', 'premium')).toMatch(/^name +premium$/m);
    expect(await run('proxy', 'show', 'standard-1')).toMatch(/^port +8080$/m);
    expect(await run('proxy', 'drain', 'standard-1')).toMatch(/^draining +true$/m);
    expect(await run('proxy', 'undrain', 'standard-1')).toMatch(/^draining +false$/m);
    expect(await run('proxy', 'remove', 'standard-1', '--yes')).toBe('done\n');
    expect(await run('proxy', 'list')).toMatch(/^ID .*\n$/);
  });

  it.each(['preview', 'reload', 'versions', 'status'])('says why lb %s cannot be', async (command) => {
    const { code, error } = await services.run('lb', command);
    expect([code, error]).toEqual([1, expect.stringMatching(/^LOAD_BALANCER_NOT_CONFIGURED: /)]);
  });

  it('shows sizes, the status and what happened', async () => {
    await run('tenant', 'register', 'acme', '--patterns', 'acme', '--pool', 'premium');
    expect(await run('sizing', '100')).toMatch(/^tenants +100$/m);
    expect(await run('status')).toMatch(/^is_leader +false$/m);
    expect(await run('log', 'list')).toMatch(/tenant\.register +tenant:acme +success$/m);
    expect(await run('log', 'list-scim')).toMatch(/^POSITION/);
    expect(await run('log', 'seal')).toMatch(/^position +\d+$/m);
    expect(await run('log', 'verify')).toMatch(/^valid +true$/m);
  });

  it('runs the programs of the services', async () => {
    expect(await run('config', 'schema')).toContain('proxy_pools');
    expect(await run('config', 'print')).toContain('proxy_pools');
    expect((await services.run('config', 'validate', '/nonexistent.yaml')).code).toBe(2);
    const migrated = await Palisade.start(['migrate'], { SVC_STORE_URL: 'memory:' }).ended();
    expect([migrated.code, migrated.out]).toEqual([0, 'the schema is up to date\n']);
  });

  it('removes old records of the log that every consumer has read, and says so there', async () => {
    const database = await createScratchDatabase();
    const store = new PostgresStore(database.url);
    const env = { SVC_STORE_URL: database.url };
    const prune = (days: string) => Palisade.start(['prune-log', '--yes', '--days', days], env).ended();
    /** As the CronJob of the chart runs it: the program itself has no terminal, no --yes and its store from a file. */
    const pruneUnattended = async (days: string) => {
      const directory = await mkdtemp(join(tmpdir(), 'palisade-prune-log-'));
      const file = join(directory, 'store-url');
      await writeFile(file, database.url);
      const { status, stdout, stderr } = spawnSync(process.execPath, [PRUNE_LOG, '--days', days], {
        env: { PATH: process.env.PATH, SVC_STORE_URL_FILE: file },
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
      });
      await rm(directory, { recursive: true });
      return { status, stdout, stderr };
    };
    const seal = async () => {
      while ((await store.log.seal()) > 0);
    };
    try {
      await store.migrate();
      const timestamps = [900, 800, 700, 1].map((days) => new Date(Date.now() - days * 86_400_000));
      const record = { userId: 'ann', action: 'probe', resource: 'probe', result: 'success' } as const;
      await store.log.append(timestamps.map((timestamp) => ({ ...record, timestamp })));
      await seal();
      const [, second] = await store.log.list({ limit: 10 });
      await store.log.moveReader('export', { position: second?.position ?? 0, seal: second?.seal ?? '' });

      expect(await pruneUnattended('400')).toEqual({ status: 0, stdout: '2 records were removed\n', stderr: '' });
      await seal();
      const left = await store.log.list({ limit: 10 });
      expect(left.map(({ action, userId }) => [action, userId])).toEqual([
        ['probe', 'ann'],
        ['probe', 'ann'],
        ['log.remove', 'prune-log'],
      ]);
      const ends = await store.log.ends();
      expect(await verifyLog(left, ends.removed)).toEqual({ isValid: true, records: 3, head: ends.head });
      expect(await prune('400')).toMatchObject({ code: 0, out: '0 records were removed\n' });
      for (const days of ['0', '-1', '1.5', 'x', '36501']) {
        expect(await prune(days)).toMatchObject({ code: 2, error: expect.stringContaining('Usage: prune-log --days') });
      }
    } finally {
      await store.close();
      await database.drop();
    }
  });

  it('changes no schema for somebody who asks what migrate does', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MIGRATE, '--help'], { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining('Usage: migrate')]);
  });

  it('prints completion scripts', async () => {
    expect(await run('completion', 'fish')).toContain('complete -c palisade -f');
  });

  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['tenant'], 'Usage: palisade tenant'],
    [['tenant', 'show', '..'], 'tenant_id: expected a name'],
    [['pool', 'list', '--url', 'ftp://x'], '--url: expected http'],
    [['import', 'users', '/nonexistent.ndjson'], 'cannot read /nonexistent.ndjson (ENOENT)'],
    [['token', 'create', 'p', '--kind', 'other'], 'Allowed choices are bearer, client'],
  ])('ends with 2 after %j', async (arguments_, message) => {
    const { code, error } = await services.run(...arguments_);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it('says that a service is not there', async () => {
    const { code, error } = await services.run('pool', 'list', '--url', 'http://127.0.0.1:2');
    expect([code, error]).toEqual([1, 'cannot reach http://127.0.0.1:2: ECONNREFUSED\n']);
  });

  it('never shows the token that it sends', async () => {
    const outputs = [
      await services.run('pool', 'list', '--token', 'wrong-token-of-somebody'),
      await services.run('user', 'list', '--token', 'wrong-token-of-somebody', '--json'),
      await services.run('doctor', '--token', 'wrong-token-of-somebody'),
      await services.run('doctor'),
    ].map(({ code, out, error }) => `${code} ${out}${error}`);
    const secrets = ['wrong-token-of-somebody', ADMIN_TOKEN, SCIM_TOKEN];
    expect(outputs.filter((text) => !text.startsWith('1 ') || secrets.some((secret) => text.includes(secret)))).toEqual(
      [],
    );
  });
});
