import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadOrCreateToken } from './load-or-create-token.js';

describe(loadOrCreateToken.name, () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-token-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('makes a token of 32 random bytes', () => {
    expect(loadOrCreateToken(directory, 'admin-token')).toMatch(/^[\w-]{43}$/);
  });

  it('keeps the token', () => {
    expect(loadOrCreateToken(directory, 'admin-token')).toBe(loadOrCreateToken(directory, 'admin-token'));
  });

  it('leaves nothing in the directory but the token, readable only by its owner', () => {
    loadOrCreateToken(directory, 'admin-token');
    expect(readdirSync(directory)).toEqual(['admin-token']);
    expect(statSync(join(directory, 'admin-token')).mode & 0o777).toBe(0o600);
  });

  it('creates the directory, whose content others cannot list', () => {
    const inner = join(directory, 'a', 'b');
    loadOrCreateToken(inner, 'admin-token');
    expect(statSync(inner).mode & 0o777).toBe(0o711);
  });

  it('takes away the permissions of others from a token that was put there', () => {
    const path = join(directory, 'admin-token');
    writeFileSync(path, 'a-token-of-my-own\n', { mode: 0o644 });
    expect(loadOrCreateToken(directory, 'admin-token')).toBe('a-token-of-my-own');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('rejects a file without a token and names it', () => {
    const path = join(directory, 'admin-token');
    writeFileSync(path, '');
    expect(() => loadOrCreateToken(directory, 'admin-token')).toThrow(path);
  });
});
