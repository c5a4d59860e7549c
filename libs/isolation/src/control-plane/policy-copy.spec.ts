import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CompletePolicy } from '@palisade/domain';
import { PolicyCopy } from './policy-copy.js';

const NOW = Date.UTC(2026, 10, 22);
const POLICY: CompletePolicy = {
  revision: 7,
  configuration: 'a'.repeat(64),
  pool: 'standard',
  settings: { isolation_level: 'namespace' },
  tenants: [{ tenant_id: 'acme', namespaces: ['acme-*'] }],
};

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'palisade-copy-'));
  path = join(directory, 'policy.json');
});

afterEach(() => rmSync(directory, { recursive: true }));

function createCopy(pool = 'standard', now = NOW): PolicyCopy {
  return new PolicyCopy({ path, pool, now: () => now });
}

describe(PolicyCopy.name, () => {
  it('keeps a policy, and when it was confirmed', async () => {
    await createCopy().write(POLICY);
    await createCopy().confirm();
    await expect(createCopy().read()).resolves.toEqual({ document: POLICY, confirmedAtMs: NOW });
  });

  it('is replaced as a whole, and only its owner can read it', async () => {
    writeFileSync(`${path}.new`, 'left by a crash', { mode: 0o666 });
    await createCopy().write(POLICY);
    await createCopy().write({ ...POLICY, revision: 8 });
    await createCopy().confirm();
    expect([(await createCopy().read())?.document.revision, statSync(path).mode & 0o777]).toEqual([8, 0o600]);
  });

  it('is absent at first', async () => {
    await expect(createCopy().read()).resolves.toBeUndefined();
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['is empty', () => '', /not the copy of a policy/],
    ['is something else', () => '<html>', /not the copy of a policy/],
    ['ends too early', (text) => text.slice(0, -20), /checksum/],
    ['was changed', (text) => text.replace('"isolation_level":"namespace"', '"isolation_level":"none"'), /checksum/],
    ['is of a later version', (text) => text.replace('"format":1', '"format":2'), /format is 2/],
  ])(
    '[a copy that is damaged, of another pool, of a newer format, or dated in the future] is not used when it %s',
    async (_, change, reason) => {
      await createCopy().write(POLICY);
      writeFileSync(path, change(readFileSync(path, 'utf8')));
      await createCopy().confirm();
      await expect(createCopy().read()).rejects.toThrow(reason);
    },
  );

  it('[a copy that is damaged, of another pool, of a newer format, or dated in the future] is not used when it is of another pool', async () => {
    await createCopy().write(POLICY);
    await expect(createCopy('premium').read()).rejects.toThrow('it is of the pool "standard"');
  });

  it('[a copy that is damaged, of another pool, of a newer format, or dated in the future] is not used when its date is in the future', async () => {
    await createCopy().write(POLICY);
    await createCopy('standard', NOW + 3_600_000).confirm();
    await expect(createCopy().read()).rejects.toThrow('in the future');
  });
});
