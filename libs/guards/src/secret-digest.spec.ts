import { describe, expect, it } from '@jest/globals';
import { digestSecret, equalDigests } from './secret-digest.js';

describe(digestSecret.name, () => {
  it('is the SHA-256 in hexadecimal', () => {
    expect(digestSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe(equalDigests.name, () => {
  it('tells equal digests from others', () => {
    expect(equalDigests(digestSecret('a'), digestSecret('a'))).toBe(true);
    expect(equalDigests(digestSecret('a'), digestSecret('b'))).toBe(false);
  });

  it.each([
    ['', ''],
    ['zz', 'yy'],
    ['ab', 'abab'],
  ])('is false for %j and %j, which are no digests', (a, b) => {
    expect(equalDigests(a, b)).toBe(false);
  });
});
