import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSettings } from './read-settings.js';
import { readRoutingFile } from './routing-file.js';

const POOLS = 'proxy_pools: { standard: { isolation_level: namespace }, premium: { isolation_level: session } }\n';

describe(readRoutingFile.name, () => {
  let directory: string;
  let path: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-routes-'));
    path = join(directory, 'routes.txt');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const read = (content: string, more = '') => {
    writeFileSync(path, content);
    return readSettings(`${POOLS}namespace_routing_file: ${path}\n${more}`, 'c.yaml');
  };

  it('reads pattern, pool and weight of each line, after those of the file itself', () => {
    const { settings, problems } = read(
      '# routes\n\nacme-*  premium\r\n\ttrial-**\tstandard 9  # most of them\nlast standard',
      'namespace_routing: [{ namespace: first, pool: premium }]',
    );
    expect([problems, settings?.routing.namespaceRoutes]).toMatchObject([
      [],
      [
        { pattern: 'first', pool: 'premium', weight: 1 },
        { pattern: 'acme-*', pool: 'premium', weight: 1 },
        { pattern: 'trial-*', pool: 'standard', weight: 9 },
        { pattern: 'last', pool: 'standard', weight: 1 },
      ],
    ]);
  });

  it('says what is wrong with which line', () => {
    const { problems } = read(
      'a premum\na standard\nA standard\nb\nc standard 0\nd standard 1 x\na standard\n',
      'default_pol: standard',
    );
    const form = 'expected a pattern, a pool and optionally a weight, separated by blanks, found';
    expect(problems).toEqual([
      'c.yaml:3:1 default_pol: unknown key, did you mean default_pool?',
      `${path}:1:1 expected a pool of proxy_pools, found "premum"; did you mean premium?`,
      `${path}:3:1 ${form} "A standard"`,
      `${path}:4:1 ${form} "b"`,
      `${path}:5:1 ${form} "c standard 0"`,
      `${path}:6:1 ${form} "d standard 1 x"`,
      `${path}:7:1 expected another pool: line 2 of namespace_routing_file sends "a" to standard already`,
    ]);
  });

  it('says when the file cannot be read', () => {
    expect(readSettings(`${POOLS}namespace_routing_file: /does/not/exist`, 'c.yaml').problems).toEqual([
      'c.yaml:2:1 namespace_routing_file: /does/not/exist: cannot be read (ENOENT)',
    ]);
  });

  it('belongs to no single tenant', () => {
    const single = 'deployment: { model: single_tenant, tenant_id: acme }\nproxy: { isolation_level: none }\n';
    writeFileSync(path, '');
    expect(readSettings(`${single}namespace_routing_file: ${path}`, 'c.yaml').problems).toEqual([
      'c.yaml:3:1 namespace_routing_file: expected nothing in single_tenant: all namespaces belong to the one tenant',
    ]);
  });

  it('reads 100,000 routes', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `tenant-${index} premium`);
    expect(read(lines.join('\n')).settings?.routing.namespaceRoutes).toHaveLength(100_000);
  });
});
