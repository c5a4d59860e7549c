import type { Request } from 'express';
import { describe, expect, it } from '@jest/globals';
import { requestedNamespace, type NamespaceRequestOptions } from './requested-namespace.js';

function ask(headers: Record<string, string[]>, params: Request['params'] = {}, options?: NamespaceRequestOptions) {
  return requestedNamespace({ headersDistinct: headers, params }, options);
}

describe(requestedNamespace.name, () => {
  it.each([
    [{ 'x-palisade-namespace': ['acme'] }, {}, 'acme'],
    [{}, { namespace: 'acme' }, 'acme'],
    [{ 'x-palisade-namespace': ['acme'] }, { namespace: 'acme' }, 'acme'],
    [{}, {}, undefined],
    [{ 'x-namespace': ['acme'] }, { id: 'acme' }, undefined],
    [{}, { namespace: ['acme', 'orders'] }, 'acme/orders'],
  ])('headers %j, path %j: %j', (headers, params, namespace) => {
    expect(ask(headers, params)).toBe(namespace);
  });

  it('looks where it is told to', () => {
    const options = { header: 'X-Tenant', routeParameter: 'ns' };
    expect([ask({ 'x-tenant': ['acme'] }, {}, options), ask({}, { ns: 'bolt' }, options)]).toEqual(['acme', 'bolt']);
  });

  it.each([
    [{ 'x-palisade-namespace': ['acme', 'acme'] }, {}],
    [{ 'x-palisade-namespace': ['acme', 'bolt'] }, {}],
    [{ 'x-palisade-namespace': ['acme'] }, { namespace: 'bolt' }],
    [{ 'x-palisade-namespace': [''] }, { namespace: 'bolt' }],
  ])('rejects headers %j with path %j', (headers, params) => {
    expect(() => ask(headers, params)).toThrow(expect.objectContaining({ code: 'NAMESPACE_AMBIGUOUS' }));
  });
});
