import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { IsolationModule } from '@palisade/isolation';
import { Client } from 'pg';
import { isolation, Orders } from './support/embedding-example.js';
import { testServerUrl } from './support/postgres-server.js';

/** Makes a table that only connections with this search path see. */
async function withOrders(work: (url: string) => Promise<void>): Promise<void> {
  const schema = `orders_${Date.now()}`;
  const client = new Client({ connectionString: testServerUrl() });
  await client.connect();
  await client.query(`create schema ${schema}; create table ${schema}.orders as select generate_series(1, 3)`);
  const url = new URL(testServerUrl());
  url.searchParams.set('options', `-c search_path=${schema}`);
  try {
    await work(url.href);
  } finally {
    await client.query(`drop schema ${schema} cascade`);
    await client.end();
  }
}

describe(IsolationModule.name, () => {
  it('is embedded as its documentation shows', async () => {
    await withOrders(async (url) => {
      const module = await Test.createTestingModule({ imports: [isolation(url)], providers: [Orders] }).compile();
      module.enableShutdownHooks([]);
      expect(await module.get(Orders).count(parseNamespaceId('acme'))).toBe(3);
      await module.close();
    });
  });

  it('is documented by code that is tested', async () => {
    const example = await readFile(join(import.meta.dirname, 'support/embedding-example.ts'), 'utf8');
    const document = await readFile(join(import.meta.dirname, '../../../docs/isolation.md'), 'utf8');
    expect(document).toContain(example);
  });
});
