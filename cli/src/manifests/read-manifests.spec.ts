import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readManifests } from './read-manifests.js';

const directory = mkdtempSync(join(tmpdir(), 'palisade-manifests-'));
afterAll(() => rmSync(directory, { recursive: true }));
let files = 0;

function fileWith(text: string): string {
  const path = join(directory, `${++files}.yaml`);
  writeFileSync(path, text);
  return path;
}

async function problemsOf(text: string): Promise<string[]> {
  const path = fileWith(text);
  return (await readManifests([path])).problems.map((problem) => problem.replace(path, 'file'));
}

const TENANT = 'kind: tenant\ntenant_id: acme\nnamespace_pattern: acme-*\n';

describe(readManifests.name, () => {
  it('reads several documents of a file, and the files of a folder', async () => {
    const folder = join(directory, 'folder');
    mkdirSync(join(folder, 'inner'), { recursive: true });
    writeFileSync(join(folder, 'a.yaml'), `---\n${TENANT}---\n\n---\nkind: proxy\nid: p\npool: a\nhost: b\nport: 1\n`);
    writeFileSync(join(folder, 'inner/b.json'), '{"kind": "provider", "id": "okta"}');
    writeFileSync(join(folder, 'notes.txt'), 'not: a manifest');
    const { manifests, problems } = await readManifests([folder]);
    expect(problems).toEqual([]);
    expect(manifests.map(({ kind, id, place }) => [kind.name, id, place])).toEqual([
      ['tenant', 'acme', `${folder}/a.yaml:2`],
      ['proxy', 'p', `${folder}/a.yaml:8`],
      ['provider', 'okta', `${folder}/inner/b.json:1`],
    ]);
  });

  it('takes what an answer has besides, and gives what is not said its default', async () => {
    const { manifests } = await readManifests([
      fileWith(`${TENANT}routing: { pools: [a] }\nversion: 3\nsource: api\n`),
    ]);
    expect(manifests[0]?.body).toEqual({ tenant_id: 'acme', namespace_patterns: ['acme-*'] });
    const [provider] = (await readManifests([fileWith('kind: provider\nid: okta\n')])).manifests;
    expect(provider?.body).toMatchObject({ dialect: 'rfc', repeat_create: 'return', extensions: [] });
  });

  it.each([
    ['an unknown field', `${TENANT}teir: premium\n`, 'file:4: teir: unknown field; did you mean "tier"?'],
    ['a wrong choice', `${TENANT}tier: gold\n`, 'file:4: tier: expected one of enterprise, premium, standard'],
    [
      'a nested value',
      `${TENANT}connection_pools:\n  redis:\n    max_connections: 0\n`,
      'file:6: connection_pools.redis.max_connections: expected a whole number from 1 to 1000000',
    ],
    ['a missing id', 'kind: tenant\nnamespace_pattern: a\n', 'file:1: "tenant_id" is missing'],
    ['a missing pattern', 'kind: tenant\ntenant_id: a\n', 'file:1: namespace_patterns is missing'],
    ['an unknown kind', '# one\nid: a\nkind: pod\n', 'file:3: kind: expected one of provider, tenant, proxy, binding'],
    ['a list', '- a\n', 'file:1: expected an object with the field "kind"'],
    [
      'an id that is a number',
      'kind: provider\nid: 1\n',
      'file:2: id: expected text of 1 to 63 characters that matches',
    ],
    ['a repeated key', `${TENANT}pool: a\npool: b\n`, 'file:5: "pool" is there twice'],
    ['no YAML', 'kind: [\n', 'file:2: '],
    ['a tag', 'kind: !!js/function "a"\n', 'file:1: Unresolved tag'],
    ['another prototype', `${TENANT}__proto__: { pool: a }\n`, 'file:4: __proto__: unknown field'],
    ['the same object twice', `${TENANT}---\n${TENANT}`, 'file:5: tenant acme is described at file:1 already'],
    ['too many levels', '['.repeat(100_000), 'file:1: it is nested too deeply'],
    [
      'aliases that multiply',
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...['b', 'c', 'd', 'e'].map(
          (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcd'[index]}`).join(',')}]`,
        ),
      ].join('\n'),
      'file:1: Excessive alias count',
    ],
  ])('says where there is %s', async (_, text, problem) => {
    const problems = await problemsOf(text);
    expect(problems.map((each) => each.replaceAll(new RegExp(`${directory}/\\d+.yaml`, 'g'), 'file'))).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  it('reads ten thousand objects', async () => {
    const text = Array.from(
      { length: 10_000 },
      (_, i) => `---\nkind: tenant\ntenant_id: t${i}\nnamespace_pattern: t${i}\n`,
    );
    const { manifests, problems } = await readManifests([fileWith(text.join(''))]);
    expect([manifests.length, problems]).toEqual([10_000, []]);
    expect(manifests[9999]?.place).toMatch(/:39998$/);
  });

  it('rejects a file that cannot be read', async () => {
    await expect(readManifests(['/nonexistent.yaml'])).rejects.toThrow('cannot read /nonexistent.yaml (ENOENT)');
  });
});
