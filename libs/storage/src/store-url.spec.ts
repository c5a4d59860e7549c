import { describe, expect, it } from '@jest/globals';
import { parseStoreUrl } from './store-url.js';

function denialOf(url: string): Error {
  try {
    parseStoreUrl(url);
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was accepted');
}

describe(parseStoreUrl.name, () => {
  it.each([
    ['memory:', { kind: 'memory' }],
    ['MEMORY:', { kind: 'memory' }],
    ['embedded:.palisade/postgres', { kind: 'embedded', directory: '.palisade/postgres' }],
    ['embedded:/var/lib/my data', { kind: 'embedded', directory: '/var/lib/my data' }],
  ])('reads %s', (url, location) => {
    expect(parseStoreUrl(url)).toEqual(location);
  });

  it.each([
    'postgres://db/palisade',
    'postgresql://user@db:5432/palisade?sslmode=verify-full',
    'postgres://us%40er:s%2Fe%25cret@[::1]:65535/palisade',
    'postgres:///palisade?host=/var/run/postgresql',
  ])('takes %s as it is', (url) => {
    expect(parseStoreUrl(url)).toEqual({ kind: 'postgres', url });
  });

  it.each([
    ['mysql://user:secret@host/db', 'found the scheme "mysql:"'],
    ['secret', 'found no scheme'],
    ['', 'found no scheme'],
    ['memory:secret', 'expected nothing behind "memory:"'],
    ['embedded:', 'expected a directory behind "embedded:"'],
    ['embedded: ', 'expected a directory behind "embedded:"'],
    ['embedded:secret\u0000', 'no control characters'],
    [`embedded:${'secret'.repeat(1000)}`, 'at most 4096 characters'],
  ])('rejects %j without repeating it', (url, told) => {
    const error = denialOf(url);

    expect(error).toBeInstanceOf(SyntaxError);
    expect(error.message).toContain(told);
    expect(error.message).not.toContain('secret');
  });

  it.each([
    'postgres:user:secret',
    'postgres://user:se/cret@host:x/db',
    'postgres://user:secret@host:99999/db',
    'postgres://user:secret%@host/db',
    'postgres://user:secret%zz@host/db',
    'postgres://user:secret%ff@host/db',
    'postgres://us%2er%:secret@host/db',
    'postgres://user:secret@host/d%b',
    'postgres://user:secret%2F@host/db?application_name=%zz',
    'postgres://user:secret @host/db',
  ])('rejects %s as malformed without repeating it', (url) => {
    const error = denialOf(url);

    expect(error.message).toContain('expected postgres://user:password@host:port/database');
    expect(JSON.stringify(error, ['message', 'stack', 'cause', 'input'])).not.toMatch(/se\/?cret/);
  });
});
