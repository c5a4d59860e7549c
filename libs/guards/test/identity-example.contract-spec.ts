import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { NamespaceAuthenticator, NamespaceGuard } from '@palisade/guards';
import { ProxyModule } from './support/identity-example.js';

describe(NamespaceGuard.name, () => {
  it('is provided as its documentation shows', async () => {
    const module = await Test.createTestingModule({ imports: [ProxyModule] }).compile();
    expect(module.get(NamespaceAuthenticator)).toBeInstanceOf(NamespaceAuthenticator);
    await module.close();
  });

  it('is documented by code that is tested', async () => {
    const example = await readFile(join(import.meta.dirname, 'support/identity-example.ts'), 'utf8');
    const document = await readFile(join(import.meta.dirname, '../../../docs/isolation.md'), 'utf8');
    expect(document).toContain(example);
  });
});
