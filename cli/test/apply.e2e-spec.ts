import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../test/support/until.js';
import { CuttingGateway } from './support/cutting-gateway.js';
import { Palisade } from './support/palisade.js';
import { Services } from './support/services.js';

const ALL = `kind: binding
bound_subject: group:scim:entra-eu:engineers
namespace: acme-orders
relation: write
pending: true
---
kind: tenant
tenant_id: acme
namespace_patterns: [acme-orders, acme-*]
pool: premium
resource_limits: { memory: 1024MiB }
---
kind: proxy
id: standard-1
pool: standard
host: 10.0.0.7
port: 8080
---
kind: provider
id: entra-eu
dialect: entra
extensions:
  - resource_type: User
    schema: { id: 'urn:acme:2.0:HR', name: HR, attributes: [{ name: badge }] }
`;

describe('palisade apply', () => {
  let services: Services;
  let directory: string;
  beforeEach(async () => {
    services = await Services.start();
    directory = await mkdtemp(join(tmpdir(), 'palisade-apply-'));
  });
  afterEach(async () => {
    await services[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  async function write(name: string, text: string): Promise<string> {
    const path = join(directory, name);
    await writeFile(path, text);
    return path;
  }

  /** What a command that succeeds prints. */
  async function run(...arguments_: readonly string[]): Promise<string> {
    const { code, out, error } = await services.run(...arguments_);
    expect([code, error]).toEqual([0, '']);
    return out;
  }

  it('creates what files describe in the order that it needs, and nothing the second time', async () => {
    const path = await write('all.yaml', ALL);
    expect(await run('apply', '-f', path, '--dry-run')).toBe(
      `+ provider entra-eu  (${path}:19)\n+ tenant acme  (${path}:7)\n+ proxy standard-1  (${path}:13)\n` +
        `+ binding acme-orders group:scim:entra-eu:engineers write  (${path}:1)\n4 to change, 0 unchanged\n`,
    );
    expect(await run('get', 'tenants')).not.toContain('acme');
    expect(await run('apply', '-f', path)).toContain('4 changed, 0 unchanged');
    expect(await run('apply', '-f', directory)).toBe('0 changed, 4 unchanged\n');
  });

  it('takes back what export and get have written, and shows what an edit changes', async () => {
    await run('apply', '-f', await write('all.yaml', ALL));
    const exported = await run('export', 'manifests');
    const path = await write('all.yaml', exported);
    expect(await run('apply', '-f', path)).toBe('0 changed, 5 unchanged\n');
    const tenant = await run('get', 'tenant', 'acme', '-o', 'yaml');
    const edited = await write('tenant.yaml', `kind: tenant\n${tenant.replace('pool: premium', 'pool: standard')}`);
    expect(await run('apply', '-f', edited, '--dry-run')).toBe(
      `~ tenant acme  (${edited}:1)\n    pool: "premium" → "standard"\n1 to change, 0 unchanged\n`,
    );
    expect(JSON.parse(await run('apply', '-f', edited, '--json'))).toMatchObject({
      done: 1,
      changes: [{ fields: ['pool'] }],
    });
    expect(await run('get', 'tenant', 'acme')).toMatch(/^pool +standard$/m);
  });

  it('changes nothing when anything in any file is wrong', async () => {
    await write('a.yaml', ALL);
    const path = await write(
      'b.yaml',
      'kind: tenant\ntenant_id: "a\\e[2J"\nnamespace_pattern: b\n---\nkind: tenant\ntenant_id: c\nnamespace_pattern: c\npool: gold\n',
    );
    const { code, out, error } = await services.run('apply', '-f', directory);
    expect([code, out, error]).toEqual([
      2,
      '',
      expect.stringMatching(/^\S+b\.yaml:2: tenant_id: .*\nnothing was changed\n$/),
    ]);
    await write('b.yaml', 'kind: tenant\ntenant_id: c\nnamespace_pattern: c\npool: gold\n');
    expect(await services.run('apply', '-f', directory)).toEqual({
      code: 2,
      out: '',
      error: `${path}:1: pool: there is no pool "gold", only premium, standard\nnothing was changed\n`,
    });
    expect(await run('get', 'tenants')).not.toContain('acme');
  });

  it('removes what an inventory has and the files no longer describe, when it is told to', async () => {
    const path = await write('all.yaml', ALL);
    const inventory = join(directory, 'inventory.json');
    await run('tenant', 'register', 'other', '--patterns', 'other', '--pool', 'standard');
    await run('apply', '-f', path, '--inventory', inventory);
    await writeFile(path, 'kind: provider\nid: entra-eu\ndialect: entra\n');
    const prune = ['apply', '-f', path, '--inventory', inventory, '--prune'];
    const asked = await services.run(...prune);
    expect([asked.code, asked.error]).toEqual([2, expect.stringMatching(/^these will be gone:\n- tenant acme\n/)]);
    expect(await run('get', 'tenants')).toContain('acme');
    expect(await run(...prune, '--yes')).toContain('removed tenant acme\n');
    expect(await run('get', 'tenants')).toMatch(/^TENANT ID.*\nother /);
    expect(JSON.parse(await readFile(inventory, 'utf8'))).toMatchObject({ objects: ['provider entra-eu'] });
    expect((await services.run('apply', '-f', path, '--prune')).code).toBe(2);
  });

  it('lets two tenants swap their namespaces only step by step, and says so', async () => {
    const tenants = (one: string, other: string): string =>
      `kind: tenant\ntenant_id: a\npool: premium\nnamespace_pattern: ${one}\n---\nkind: tenant\ntenant_id: b\npool: premium\nnamespace_pattern: ${other}\n`;
    const path = await write('swap.yaml', tenants('x', 'y'));
    await run('apply', '-f', path);
    await write('swap.yaml', tenants('y', 'z'));
    expect(await run('apply', '-f', path)).toContain('2 changed');
    await write('swap.yaml', tenants('z', 'y'));
    const { code, error } = await services.run('apply', '-f', path);
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/swap\.yaml:1: tenant a: NAMESPACE_OVERLAP[^]*0 of 2 changes were made/),
    ]);
  });

  it('leaves a tenant that somebody else changes meanwhile as they made it, and goes on when it is repeated', async () => {
    const manifest = 'kind: tenant\ntenant_id: acme\nnamespace_pattern: acme\npool: ';
    const path = await write('tenant.yaml', `${manifest}premium\n`);
    await run('apply', '-f', path);
    await write('tenant.yaml', `${manifest}standard\n`);
    await using gateway = await CuttingGateway.start(services.control.url);
    const other = ['tenant', 'replace', 'acme', '--patterns', 'acme-*', '--pool', 'premium'];
    gateway.before = async ({ method }) => method === 'PUT' && (await run(...other));
    const env = { ...services.env, PALISADE_CONTROL_URL: gateway.url };
    const { code, error } = await Palisade.start(['apply', '-f', path], env).ended();
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/:1: tenant acme: it was changed meanwhile; repeat the command\. PRECONDITION_FAILED/),
    ]);
    expect(await run('get', 'tenant', 'acme')).toMatch(/^namespace_patterns +acme-\*$/m);
    expect(await run('apply', '-f', path)).toContain('1 changed, 0 unchanged');
    expect(await run('get', 'tenant', 'acme')).toMatch(/^pool +standard$/m);
  });

  it('lets a suspended binding grant access again only when that is confirmed', async () => {
    const path = await write('all.yaml', ALL);
    await run('apply', '-f', path);
    await run('provider', 'delete', 'entra-eu', '--yes');
    expect(await run('binding', 'list')).toMatch(/ suspended/);
    const { code, out, error } = await services.run('apply', '-f', path);
    expect([code, out, error]).toEqual([
      2,
      '',
      expect.stringMatching(/:1: it is suspended, as its provider was deleted; --confirm-suspended .*\nnothing was/),
    ]);
    expect(await run('get', 'providers')).not.toContain('entra-eu');
    expect(await run('apply', '-f', path, '--confirm-suspended')).toContain('2 changed, 2 unchanged');
    expect(await run('binding', 'list')).not.toMatch(/ suspended/);
    expect(await run('apply', '-f', path)).toBe('0 changed, 4 unchanged\n');
  });

  it('goes on after an interruption', async () => {
    const text = Array.from(
      { length: 300 },
      (_, i) => `---\nkind: tenant\ntenant_id: t${i}\nnamespace_pattern: t${i}\npool: premium\n`,
    );
    const path = await write('many.yaml', text.join(''));
    const first = Palisade.start(['apply', '-f', path], services.env);
    await until(async () => (await services.control.store.tenants.find('t20' as never)) !== undefined);
    first.child.kill('SIGINT');
    expect((await first.ended()).code).toBe(1);
    expect(await run('apply', '-f', path)).toMatch(/, \d+ unchanged\n$/);
    expect(await run('apply', '-f', path)).toBe('0 changed, 300 unchanged\n');
  });
});
