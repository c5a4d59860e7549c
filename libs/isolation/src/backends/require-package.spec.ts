import { describe, expect, it } from '@jest/globals';
import { MissingPackageError } from './backend.errors.js';
import { requirePackage } from './require-package.js';

describe(requirePackage.name, () => {
  it('gives the package', () => {
    expect(requirePackage<{ join: unknown }>('Path', 'node:path').join).toEqual(expect.any(Function));
  });

  it('says which backend needs a package that is not installed, and how to install it', () => {
    const requiring = () => requirePackage('Redis', 'redis-that-nobody-has');
    expect(requiring).toThrow(MissingPackageError);
    expect(requiring).toThrow(
      'Redis backends need the package redis-that-nobody-has: npm install redis-that-nobody-has',
    );
  });
});
