import type { ExecutionContext, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { describe, expect, it, jest } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { BearerTokenGuard } from '../bearer-token.guard.js';
import { Authenticator } from '../authenticator.js';
import type { Principal } from '../principal.js';
import { DenialListener } from '../denial-listener.js';
import { ForAdmin, ForProvider, Public } from '../route-access.js';
import { apiKeyDirectory, createApiKey } from './api-key.js';
import { NamespaceAuthenticator } from './namespace-authenticator.js';
import { ForNamespace, namespaceIdentityOf, type NamespaceRequest } from './namespace.decorators.js';
import { NamespaceGuard } from './namespace.guard.js';

const { key, ...kept } = createApiKey();
const namespace = parseNamespaceId('acme');
const authenticator = new NamespaceAuthenticator({ apiKeys: apiKeyDirectory([{ ...kept, namespace }]) });

class Routes {
  @Public() open(): void {}
  @ForNamespace() orders(): void {}
  @ForProvider() users(): void {}
  @ForAdmin('read') admin(): void {}
  undecorated(): void {}
}

@ForNamespace()
class NamespaceController {
  inherited(): void {}
  @Public() open(): void {}
}

class Denials extends DenialListener {
  override denied = jest.fn<DenialListener['denied']>();
}

function requestOf(headers: Record<string, string> = { 'x-api-key': key }): NamespaceRequest {
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return { headers, headersDistinct, params: {}, socket: {} } as unknown as NamespaceRequest;
}

function contextOf(controller: Type, handler: () => void, request: NamespaceRequest): ExecutionContext {
  return {
    getHandler: () => handler,
    getClass: () => controller,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
}

async function knock(handler: () => void, request: NamespaceRequest, controller: Type = Routes): Promise<string> {
  const guard = new NamespaceGuard(new Reflector(), authenticator);
  try {
    await guard.canActivate(contextOf(controller, handler, request));
    return 'admitted';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe(NamespaceGuard.name, () => {
  it.each([
    ['open', requestOf({}), 'admitted'],
    ['open', requestOf({ 'x-api-key': 'nonsense' }), 'admitted'],
    ['orders', requestOf(), 'admitted'],
    ['orders', requestOf({ 'x-api-key': key, 'x-palisade-namespace': 'acme' }), 'admitted'],
    ['orders', requestOf({ 'x-api-key': key, 'x-palisade-namespace': 'bolt' }), 'NAMESPACE_NOT_FOUND'],
    ['orders', requestOf({ 'x-palisade-namespace': 'acme' }), 'UNAUTHENTICATED'],
    ['orders', requestOf({ 'x-api-key': key, authorization: 'Bearer nonsense' }), 'UNAUTHENTICATED'],
    ['orders', requestOf({ 'x-api-key': key, authorization: 'Basic YTpi' }), 'UNAUTHENTICATED'],
    ['orders', requestOf({}), 'UNAUTHENTICATED'],
    ['users', requestOf(), 'FORBIDDEN'],
    ['admin', requestOf(), 'FORBIDDEN'],
    ['undecorated', requestOf(), 'FORBIDDEN'],
    ['undecorated', requestOf({}), 'UNAUTHENTICATED'],
  ] as const)('route %s, %j: %s', async (route, request, outcome) => {
    await expect(knock(Routes.prototype[route], { ...request } as NamespaceRequest)).resolves.toBe(outcome);
  });

  it("lets a handler's decorator replace its controller's", async () => {
    const { inherited, open } = NamespaceController.prototype;
    await expect(knock(inherited, requestOf({}), NamespaceController)).resolves.toBe('UNAUTHENTICATED');
    await expect(knock(open, requestOf({}), NamespaceController)).resolves.toBe('admitted');
  });

  it('leaves the identity on the request', async () => {
    const request = requestOf();
    await knock(Routes.prototype.orders, request);
    expect(namespaceIdentityOf(request)).toEqual({
      namespace: 'acme',
      clientId: `api-key:${kept.id}`,
      method: 'api_key',
    });
  });

  it('rejects two Authorization headers where no tokens are accepted either', async () => {
    const request = requestOf();
    request.headersDistinct['authorization'] = ['', 'Bearer x'];
    await expect(knock(Routes.prototype.orders, request)).resolves.toBe('UNAUTHENTICATED');
  });

  it('rejects an API key beside a valid credential where no keys are accepted', async () => {
    const tokens = { issuer: 'https://issuer.example', audience: 'x', jwksUri: 'https://issuer.example/keys' };
    const withoutKeys = new NamespaceGuard(new Reflector(), new NamespaceAuthenticator({ tokens }));
    const answer = withoutKeys.canActivate(contextOf(Routes, Routes.prototype.orders, requestOf()));
    await expect(answer).rejects.toMatchObject({ code: 'UNAUTHENTICATED', reason: 'invalid' });
  });

  it('leaves no identity on a request that it rejects', async () => {
    const request = requestOf();
    await knock(Routes.prototype.undecorated, request);
    expect(() => namespaceIdentityOf(request)).toThrow(TypeError);
  });

  it('tells the listener of denials, not of failures', async () => {
    const denials = new Denials();
    const guard = new NamespaceGuard(new Reflector(), authenticator, denials);
    const context = contextOf(Routes, Routes.prototype.orders, requestOf({}));
    await expect(guard.canActivate(context)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const failing = new NamespaceAuthenticator({ apiKeys: { find: () => Promise.reject(new Error('database down')) } });
    const other = new NamespaceGuard(new Reflector(), failing, denials);
    await expect(other.canActivate(contextOf(Routes, Routes.prototype.orders, requestOf()))).rejects.toThrow(
      'database down',
    );
    expect(denials.denied).toHaveBeenCalledTimes(1);
  });
});

describe(`${BearerTokenGuard.name} beside ${NamespaceGuard.name}`, () => {
  it('closes routes that are for callers of a namespace', async () => {
    const admin: Principal = { kind: 'admin', actor: 'root', scopes: ['admin'], namespaces: '*' };
    const anybody = new (class extends Authenticator {
      override authenticate(): Promise<Principal> {
        return Promise.resolve(admin);
      }
    })();
    const request = { headers: { authorization: 'Bearer x' } } as NamespaceRequest;
    const guard = new BearerTokenGuard(new Reflector(), anybody);
    await expect(guard.canActivate(contextOf(Routes, Routes.prototype.orders, request))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});
