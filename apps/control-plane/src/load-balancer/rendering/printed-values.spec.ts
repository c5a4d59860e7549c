import * as fc from 'fast-check';
import * as printed from './printed-values.js';
import { describe, expect, it } from '@jest/globals';
import { RejectedStateError } from '../load-balancer.errors.js';

const TEXT_PRINTERS = [
  [printed.printNamespace, 'acme-eu', /^[a-z0-9-]+$/],
  [printed.printPrefix, 'acme-', /^[a-z0-9-]*$/],
  [printed.printPattern, 'a*-?u', /^[a-z0-9*?-]+$/],
  [printed.printPool, 'standard', /^[a-z0-9-]+$/],
  [printed.printServer, 'proxy-1.eu', /^[a-z0-9.-]+$/],
  [printed.printAddress, '10.0.0.7', /^[0-9.]+$|^\[[0-9a-f:.]+\]$/],
  [printed.printHost, 'proxy.internal', /^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/],
  [printed.printPath, '/etc/palisade/haproxy.cfg', /^[A-Za-z0-9_@+=./-]+$/],
  [printed.printHeader, 'X-Palisade-Namespace', /^[A-Za-z0-9-]+$/],
] as const;
/** What ends a line, a text, a block or a command, somewhere. */
const ENDINGS = [
  '\n',
  '\r',
  '\0',
  '\t',
  ' ',
  '"',
  "'",
  '{',
  '}',
  ';',
  '#',
  '$',
  '%',
  '\\',
  '`',
  '<',
  '>',
  '|',
  '&',
  '(',
  '\u2028',
  'ａ',
  'е',
];

describe.each(TEXT_PRINTERS)('%p', (print, good, safe) => {
  it(`prints ${good} as it is`, () => {
    expect(print(good)).toBe(good);
  });

  it.each(ENDINGS)('rejects %j anywhere', (ending) => {
    for (const text of [ending, `${good}${ending}`, `${ending}${good}`, `${good}${ending}${good}`]) {
      expect(() => print(text)).toThrow(RejectedStateError);
    }
  });

  it('prints nothing but harmless characters, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom(...ENDINGS, 'a', '-', '.', '/', ':', '1', '*') }),
        ),
        (text) => {
          expect(attempt(() => print(text))).toMatch(safe);
        },
      ),
    );
  });

  it('rejects what is much too long', () => {
    expect(() => print('a'.repeat(5000))).toThrow(RejectedStateError);
  });

  function attempt(make: () => string): string {
    try {
      return make();
    } catch (error) {
      expect(error).toBeInstanceOf(RejectedStateError);
      return good;
    }
  }
});

describe('texts of the wrong form', () => {
  it.each<[string, () => string]>([
    ['an empty namespace', () => printed.printNamespace('')],
    ['a namespace that begins with a hyphen', () => printed.printNamespace('-a')],
    ['a namespace of 64 characters', () => printed.printNamespace('a'.repeat(64))],
    ['a prefix that begins with a hyphen', () => printed.printPrefix('-a')],
    ['an address with a zone', () => printed.printAddress('fe80::1%eth0')],
    ['an invalid address', () => printed.printAddress('10.0.0.256')],
    ['a relative path', () => printed.printPath('etc/haproxy.cfg')],
    ['a path that goes up', () => printed.printPath('/etc/../shadow')],
    ['a path with a dot', () => printed.printPath('/etc/./haproxy.cfg')],
    ['a directory', () => printed.printPath('/etc/')],
    ['a header that ends with a hyphen', () => printed.printHeader('X-')],
    ['a port of 0', () => printed.printPort(0)],
    ['a port of 65536', () => printed.printPort(65_536)],
    ['a port that is no number', () => printed.printPort(Number.NaN)],
    ['a weight of 0', () => printed.printWeight(0)],
    ['a weight of 257', () => printed.printWeight(257)],
    ['a weight of 1.5', () => printed.printWeight(1.5)],
    ['a port that is a text', () => printed.printPort('80; evil' as never)],
  ])('rejects %s', (_, print) => {
    expect(print).toThrow(RejectedStateError);
  });

  it('puts an IPv6 address into brackets', () => {
    expect(printed.printAddress('2001:DB8::1')).toBe('[2001:db8::1]');
  });

  it('does not repeat a long text in its message', () => {
    expect(() => printed.printPool('x'.repeat(10_000))).toThrow(/^.{1,200}$/);
  });
});
