import { describe, expect, it } from '@jest/globals';
import { ScimError } from '../scim.errors.js';
import { BULK_REQUEST_URN } from '../urns.js';
import { parseBulk } from './parse-bulk.js';

function request(operations: unknown, extra: object = {}): unknown {
  return { schemas: [BULK_REQUEST_URN], Operations: operations, ...extra };
}

function rejection(body: unknown): unknown {
  try {
    return parseBulk(body);
  } catch (error) {
    return error instanceof ScimError ? [error.status, error.scimType] : error;
  }
}

describe(parseBulk.name, () => {
  it('reads an operation', () => {
    const operation = { method: 'patch', path: '/Users/user%3Ascim%3Ap%3A1', version: 'W/"1"', data: {} };
    expect(parseBulk(request([operation])).operations).toEqual([
      {
        method: 'PATCH',
        bulkId: undefined,
        version: 'W/"1"',
        data: {},
        target: { type: 'User', reference: 'user:scim:p:1' },
        problem: undefined,
      },
    ]);
  });

  it.each([[null], [[]], [{}], [{ schemas: [BULK_REQUEST_URN] }]])('rejects the body %j', (body) => {
    expect(rejection(body)).toEqual([400, 'invalidSyntax']);
  });

  it('[RFC7644-3.7.4] rejects more operations than it advertises with 413', () => {
    expect(rejection(request(Array.from({ length: 1001 }, () => ({}))))).toEqual([413, undefined]);
  });

  it('[RFC7644-3.7] rejects a bulkId that occurs twice', () => {
    const create = { method: 'POST', path: '/Users', bulkId: 'a', data: {} };
    expect(rejection(request([create, create]))).toEqual([400, 'invalidValue']);
  });

  it.each([0, -1, 1.5, 'one'])('rejects failOnErrors %j', (failOnErrors) => {
    expect(rejection(request([], { failOnErrors }))).toEqual([400, 'invalidValue']);
  });

  it.each([
    ['an unknown method', { method: 'GET', path: '/Users/1' }, 'invalidSyntax'],
    ['a POST without bulkId', { method: 'POST', path: '/Users', data: {} }, 'invalidSyntax'],
    ['a POST to a resource', { method: 'POST', path: '/Users/1', bulkId: 'a', data: {} }, 'invalidPath'],
    ['a PUT to a collection', { method: 'PUT', path: '/Users', data: {} }, 'invalidPath'],
    ['an unknown endpoint', { method: 'DELETE', path: '/constructor/1' }, 'invalidPath'],
    ['a path beyond a resource', { method: 'DELETE', path: '/Users/1/../2' }, 'invalidPath'],
    ['a path with broken encoding', { method: 'DELETE', path: '/Users/%zz' }, 'invalidPath'],
    ['a PATCH without data', { method: 'PATCH', path: '/Users/1' }, 'invalidSyntax'],
    ['what is no object', 7, 'invalidSyntax'],
  ])('fails only the operation that is %s', (_name, operation, scimType) => {
    const good = { method: 'DELETE', path: '/Users/1' };
    const [first, second] = parseBulk(request([operation, good])).operations;
    expect(first?.problem?.scimType).toBe(scimType);
    expect(second?.problem).toBeUndefined();
  });
});
