import { describe, expect, it } from '@jest/globals';
import { InvalidIdentifierError } from '@palisade/domain';
import { proxyIdOf } from './discovered-proxies.js';

describe(proxyIdOf.name, () => {
  it.each([
    ['proxy-1.example.com', 'proxy-1.example.com-8080'],
    ['Proxy-1.Example.com.', 'proxy-1.example.com-8080'],
    ['10.0.0.1', '10.0.0.1-8080'],
    ['fd00::1', 'ip6-fd00--1-8080'],
    ['::1', 'ip6---1-8080'],
  ])('names the proxy at %s', (host, id) => {
    expect(proxyIdOf(host, 8080)).toBe(id);
  });

  it.each(['', 'a b', 'a\nb', '-a', 'a..b', 'x'.repeat(64)])('rejects %j', (host) => {
    expect(() => proxyIdOf(host, 8080)).toThrow(InvalidIdentifierError);
  });
});
