import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { findToken, findUrl } from './connection.js';

const directory = mkdtempSync(join(tmpdir(), 'palisade-token-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileWith(text: string): string {
  const path = join(directory, `token-${text.length}`);
  writeFileSync(path, text);
  return path;
}

describe(findToken.name, () => {
  it('takes an option before the environment', () => {
    expect(findToken('admin', { token: 'a' }, { PALISADE_TOKEN: 'b' })).toBe('a');
  });

  it('reads a file without the line end after the token', () => {
    expect(findToken('admin', { tokenFile: fileWith('secret\n') }, {})).toBe('secret');
  });

  it('reads the file that the environment names', () => {
    expect(findToken('admin', {}, { PALISADE_TOKEN_FILE: fileWith('from-file') })).toBe('from-file');
  });

  it.each([
    ['provider', 'p'],
    ['admin', 'a'],
  ] as const)('takes the token of a provider for a %s only where one is needed', (credential, token) => {
    expect(findToken(credential, {}, { PALISADE_PROVIDER_TOKEN: 'p', PALISADE_TOKEN: 'a' })).toBe(token);
  });

  it('does not show an invalid token', () => {
    expect(() => findToken('admin', { token: 'se\ncret' }, {})).toThrow(/^--token: expected a token: ASCII (?!.*cret)/);
  });

  it.each([
    ['a file that is missing', '/nonexistent/token', 'cannot read /nonexistent/token (ENOENT)'],
    ['an empty file', fileWith(''), 'expected a token'],
    ['a file that is too large', fileWith('x'.repeat(70_000)), 'is too large to be a token'],
  ])('rejects %s', (_, tokenFile, message) => {
    expect(() => findToken('admin', { tokenFile }, {})).toThrow(message);
  });
});

describe(findUrl.name, () => {
  it('takes the option, then the environment, then the default', () => {
    expect(findUrl('scim-service', 'http://a/', { PALISADE_SCIM_URL: 'http://b/' }).href).toBe('http://a/');
    expect(findUrl('scim-service', undefined, { PALISADE_SCIM_URL: 'http://b/' }).href).toBe('http://b/');
    expect(findUrl('control-plane', undefined, {}).href).toBe('http://localhost:8980/');
  });

  it.each(['localhost:9091', 'file:///etc/passwd', 'http://user:secret@a', 'http://a/?x=1'])('rejects %s', (url) => {
    expect(() => findUrl('scim-service', url, {})).toThrow(/^--url: expected (?!.*secret)/);
  });
});
