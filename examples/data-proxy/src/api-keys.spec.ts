import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey } from '@palisade/guards';
import { waitUntil } from '../../../libs/isolation/test/support/wait-until.js';
import { ApiKeys } from './api-keys.js';

describe(ApiKeys.name, () => {
  let path: string;
  let directory: string;
  let keys: ApiKeys | undefined;

  beforeAll(() => {
    Logger.overrideLogger(false);
    directory = mkdtempSync(join(tmpdir(), 'palisade-keys-'));
    path = join(directory, 'keys.json');
  });

  afterEach(() => keys?.onModuleDestroy());

  afterAll(() => {
    Logger.overrideLogger(['log', 'warn', 'error']);
    rmSync(directory, { recursive: true });
  });

  function write(...entries: readonly object[]): void {
    writeFileSync(path, JSON.stringify(entries));
  }

  function entry(): { readonly id: string; readonly digest: string; readonly namespace: string } {
    const { id, digest } = createApiKey();
    return { id, digest, namespace: 'acme' };
  }

  function open(): Set<string> {
    const removed = new Set<string>();
    keys = new ApiKeys(path, []);
    keys.onRemoved = (clients) => clients.forEach((client) => removed.add(client));
    return removed;
  }

  it('notices keys that are added, and tells whose are removed or replaced', async () => {
    const [kept, gone, replaced, added] = [entry(), entry(), entry(), entry()];
    write(kept, gone, replaced);
    const removed = open();
    write(kept, { ...replaced, digest: added.digest }, added);
    await waitUntil(() => removed.size > 0, 'the removal is told');
    expect(removed).toEqual(new Set([`api-key:${gone.id}`, `api-key:${replaced.id}`]));
    expect([kept, gone, added].map(({ id }) => keys?.find(id) !== undefined)).toEqual([true, false, true]);
  });

  it('keeps the keys while the file is broken or gone', async () => {
    const [own, next] = [entry(), entry()];
    write(own);
    const removed = open();
    writeFileSync(path, '[{');
    // Longer than it takes to notice.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect([keys?.find(own.id) !== undefined, removed.size]).toEqual([true, 0]);
    write(next);
    await waitUntil(() => removed.size > 0, 'the removal is told');
    expect(keys?.find(next.id)).toBeDefined();
  });
});
