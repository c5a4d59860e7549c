import { describe, expect, it } from '@jest/globals';
import { withCredentials } from './credentials.js';

const OWN = { user: 'alice', password: 'p@ss/word' };

describe(withCredentials.name, () => {
  it('replaces user and password, and nothing else', () => {
    const ssl = { ca: 'certificate' };
    expect(withCredentials({ host: 'db', user: 'service', password: 'secret', ssl }, OWN)).toEqual({
      host: 'db',
      ssl,
      ...OWN,
    });
  });

  it.each([
    [
      'postgres://service:secret@db:5433/app?sslmode=require',
      'postgres://alice:p%40ss%2Fword@db:5433/app?sslmode=require',
    ],
    ['postgres://db/app?user=service&password=secret', 'postgres://alice:p%40ss%2Fword@db/app'],
  ])('replaces them in the connection string %s', (connectionString, expected) => {
    expect(withCredentials({ connectionString }, OWN)).toEqual({ connectionString: expected });
  });

  it('refuses a connection string that it cannot replace them in', () => {
    expect(() => withCredentials({ connectionString: '/var/run/postgresql app' }, OWN)).toThrow('that is a URL');
  });

  it.each([
    ['another server', { ...OWN, host: 'example.com' }],
    ['no password', { user: 'alice' }],
    ['a user that is no text', { user: 1, password: 'secret' }],
  ])('rejects credentials with %s', (_, credentials) => {
    expect(() => withCredentials({}, credentials)).toThrow('expected user and password');
  });
});
