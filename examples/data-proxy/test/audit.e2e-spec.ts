import { mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../libs/isolation/test/support/wait-until.js';
import { POSTGRES_ONLY, ProxyWorld, SETTINGS } from './support/proxy-world.js';

let world: ProxyWorld;

const MANDATORY = { ...SETTINGS, audit: { log_actions: true, mandatory: true } };

beforeEach(async () => {
  world = await ProxyWorld.start({ settings: MANDATORY, environment: POSTGRES_ONLY });
});

afterEach(() => world[Symbol.asyncDispose]());

const readRecords = (path = world.auditFile): object[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);

/** From here on the file cannot be written: there is a directory in its place. */
function breakFile(): void {
  renameSync(world.auditFile, `${world.auditFile}.1`);
  mkdirSync(world.auditFile);
}

describe('action records', () => {
  it('say who did what, to what of which tenant, and how it ended', async () => {
    await world.acme.query('notes.insert', { title: 'a', body: 'b' });
    await world.acme.query('notes.get', { id: '5d7e6e0c-8f6f-4c53-8d52-3a3a0a4b5c6d' });
    expect(readRecords()).toEqual([
      {
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        tenant_id: 'tenant-1',
        namespace: world.acme.namespace,
        user_id: expect.stringMatching(/@example\.com$/),
        action: 'postgres.query',
        resource: 'notes.insert',
        result: 'success',
        rows_accessed: 1,
        pii_accessed: false,
        detail: { backend: 'postgres', client_id: expect.stringMatching(/^api-key:/), duration_ms: expect.any(Number) },
      },
      expect.objectContaining({ resource: 'notes.get', rows_accessed: 0, pii_accessed: true }),
    ]);
  });

  it('are written before the answer', async () => {
    for (let count = 1; count <= 20; count++) {
      await world.acme.query('notes.list', { limit: 1 });
      expect(readRecords()).toHaveLength(count);
    }
  });

  it('hold no values', async () => {
    await world.acme.query('notes.insert', { title: 'secret title', body: 'secret body' });
    expect(JSON.stringify(readRecords())).not.toContain('secret');
  });
});

describe('mandatory records that cannot be written', () => {
  it('let no work begin, and let it again once they can', async () => {
    await world.acme.query('notes.insert', { title: 'before', body: '' });
    breakFile();
    // Whether the file takes records is asked once a second at most: what was let in meanwhile is known afterwards.
    await waitUntil(
      async () => (await world.acme.query('notes.list', { limit: 1 })).status === 503,
      'work is rejected',
    );
    const { status, headers, body } = await world.acme.query('notes.insert', { title: 'meanwhile', body: '' });
    expect([status, headers['retry-after'], body]).toEqual([
      503,
      '1',
      expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }),
    ]);
    expect(await world.database.countNotes()).toEqual({ [world.acme.namespace]: 1 });
    rmdirSync(world.auditFile);
    await waitUntil(
      async () => (await world.acme.query('notes.list', { limit: 1 })).status === 200,
      'work is let in again',
      20_000,
    );
    expect(JSON.stringify(readRecords())).toContain('AUDIT_UNAVAILABLE');
  });
});
