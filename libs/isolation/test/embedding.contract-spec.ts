import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { IsolationModule } from '@palisade/isolation';
import { isolation, Orders } from './support/embedding-example.js';
import { TenantDatabase } from './support/tenant-database.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');

describe(IsolationModule.name, () => {
  it('is embedded as its documentation shows', async () => {
    await using database = await TenantDatabase.create('setting');
    await database.provision(ACME);
    await database.admin.query(`insert into orders (tenant_id, id) values ('acme', 1), ('acme', 2), ('bolt', 1)`);
    const { connectionString = '' } = database.configOf(ACME);
    const imports = [isolation(connectionString)];
    const module = await Test.createTestingModule({ imports, providers: [Orders] }).compile();
    await module.init();
    const orders = module.get(Orders);
    const counts = [ACME, BOLT].map((namespace) => orders.count({ namespace, clientId: 'example' }));
    expect(await Promise.all(counts)).toEqual([2, 1]);
    await module.close();
  });

  it('is documented by code that is tested', async () => {
    const example = await readFile(join(import.meta.dirname, 'support/embedding-example.ts'), 'utf8');
    const document = await readFile(join(import.meta.dirname, '../../../docs/isolation.md'), 'utf8');
    expect(document).toContain(example);
  });
});
