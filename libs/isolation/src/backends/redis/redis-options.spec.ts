import { describe, expect, it } from '@jest/globals';
import { clientOptions, withCredentials } from './redis-options.js';

const OWN = { username: 'ada', password: 'p@ss/word' };
const { signal } = new AbortController();

describe(withCredentials.name, () => {
  it('replaces user and password, and nothing else', () => {
    const socket = { host: 'redis', port: 6380 };
    expect(withCredentials({ socket, database: 2, username: 'service', password: 'secret' }, OWN)).toEqual({
      socket,
      database: 2,
      ...OWN,
    });
  });

  it('takes those of the URL away, which would win', () => {
    expect(withCredentials({ url: 'rediss://service:secret@redis:6380/2' }, OWN)).toEqual({
      url: 'rediss://redis:6380/2',
      ...OWN,
    });
  });

  it('replaces what would give other credentials', () => {
    const credentialsProvider = {
      type: 'async-credentials-provider' as const,
      credentials: async () => ({ username: 'service', password: 'secret' }),
    };
    expect(withCredentials({ credentialsProvider }, OWN)).toEqual(OWN);
  });

  it.each([
    ['another server', { ...OWN, url: 'redis://example.com' }],
    ['no password', { username: 'ada' }],
    ['an empty password', { username: 'ada', password: '' }],
    ['a user that is no text', { username: 1, password: 'secret' }],
  ])('rejects credentials with %s', (_, credentials) => {
    expect(() => withCredentials({}, credentials)).toThrow('expected username and password');
  });

  it('rejects a URL that it cannot replace them in', () => {
    expect(() => withCredentials({ url: 'unix:///run/redis.sock' }, OWN)).toThrow('expected a URL');
  });
});

describe(clientOptions.name, () => {
  it('never lets the client connect again by itself', () => {
    expect(clientOptions({ socket: { host: 'redis', reconnectStrategy: 1 } }, signal).socket).toEqual({
      host: 'redis',
      reconnectStrategy: false,
      signal,
    });
  });

  it.each([{ username: 'ada' }, { username: 'ada', password: '' }, { url: 'redis://ada@redis' }])(
    'rejects %j, as which the client would connect as the default user',
    (options) => {
      expect(() => clientOptions(options, signal)).toThrow('expected a password for the user "ada"');
    },
  );

  it('leaves what it is given alone', () => {
    const given = Object.freeze({ url: 'redis://redis', socket: Object.freeze({}) });
    expect(() => clientOptions(given, signal)).not.toThrow();
  });
});
