import type { ExecutionContext, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { describe, expect, it, jest } from '@jest/globals';
import { parseNamespaceId, parseProviderId } from '@palisade/domain';
import type { AdminPrincipal, AuthenticatedRequest, Principal } from './principal.js';
import { Authenticator, type BearerCredential } from './authenticator.js';
import { BearerTokenGuard } from './bearer-token.guard.js';
import { UnauthenticatedError } from './authentication.errors.js';
import { DenialListener } from './denial-listener.js';
import { ForAdmin, ForFullAdmin, ForProvider, ForProviderOrUser, Public, PublicOrFullAdmin } from './route-access.js';

const provider = parseProviderId('acme');
const fullAdmin: AdminPrincipal = { kind: 'admin', actor: 'root', scopes: ['admin'], namespaces: '*' };
const PRINCIPALS: Readonly<Record<string, Principal>> = {
  'scim provisioner': { kind: 'provider', provider, actor: 'token:1' },
  'scim user': { kind: 'user', provider, userName: 'ann', actor: 'user:ann' },
  'admin root': fullAdmin,
  'admin reader': { ...fullAdmin, scopes: ['read'] },
  'admin of-billing': { ...fullAdmin, namespaces: [parseNamespaceId('billing')] },
};

class KnownTokens extends Authenticator {
  override authenticate({ api, token }: BearerCredential): Promise<Principal> {
    const principal = PRINCIPALS[`${api} ${token}`];
    return principal ? Promise.resolve(principal) : Promise.reject(new UnauthenticatedError('invalid'));
  }
}

class Denials extends DenialListener {
  override denied = jest.fn<DenialListener['denied']>();
}

class Routes {
  @Public() open(): void {}
  @ForProvider() users(): void {}
  @ForProviderOrUser() me(): void {}
  @ForAdmin('operate') bindings(): void {}
  @ForFullAdmin('read') providers(): void {}
  @PublicOrFullAdmin('operate') metrics(): void {}
  undecorated(): void {}
}

@Public()
class OpenController {
  inherited(): void {}
  @ForProvider() closed(): void {}
}

function contextOf(controller: Type, handler: () => void, request: Partial<AuthenticatedRequest>): ExecutionContext {
  return {
    getHandler: () => handler,
    getClass: () => controller,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
}

/** What the guard does with a request: `admitted`, or the code and message of its rejection. */
async function knock(route: keyof Routes, token?: string): Promise<string> {
  const guard = new BearerTokenGuard(new Reflector(), new KnownTokens());
  const request = { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } };
  try {
    await guard.canActivate(contextOf(Routes, Routes.prototype[route], request));
    return 'admitted';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe(BearerTokenGuard.name, () => {
  it.each([
    ['open', undefined, 'admitted'],
    ['open', 'nonsense', 'admitted'],
    ['users', 'provisioner', 'admitted'],
    ['users', 'user', 'FORBIDDEN'],
    ['users', 'root', 'UNAUTHENTICATED'],
    ['users', 'unknown', 'UNAUTHENTICATED'],
    ['users', undefined, 'UNAUTHENTICATED'],
    ['me', 'provisioner', 'admitted'],
    ['me', 'user', 'admitted'],
    ['bindings', 'root', 'admitted'],
    ['bindings', 'of-billing', 'admitted'],
    ['bindings', 'reader', 'FORBIDDEN'],
    ['bindings', 'provisioner', 'UNAUTHENTICATED'],
    ['providers', 'reader', 'admitted'],
    ['providers', 'of-billing', 'FORBIDDEN'],
    ['metrics', undefined, 'admitted'],
    ['metrics', 'root', 'admitted'],
    ['metrics', 'reader', 'FORBIDDEN'],
    ['metrics', 'of-billing', 'FORBIDDEN'],
    ['metrics', 'nonsense', 'UNAUTHENTICATED'],
    ['metrics', 'provisioner', 'UNAUTHENTICATED'],
    ['undecorated', undefined, 'UNAUTHENTICATED'],
    ['undecorated', 'root', 'FORBIDDEN'],
    ['undecorated', 'provisioner', 'FORBIDDEN'],
  ] as const)('route %s, token %s: %s', async (route, token, outcome) => {
    await expect(knock(route, token)).resolves.toBe(outcome);
  });

  it('rejects two Authorization headers, of which a proxy before it may have judged the other one', async () => {
    const guard = new BearerTokenGuard(new Reflector(), new KnownTokens());
    const authorization = ['Bearer root', 'Bearer reader'];
    const request = { headers: { authorization: authorization[0] }, headersDistinct: { authorization } };
    const context = contextOf(Routes, Routes.prototype.bindings, request);
    await expect(guard.canActivate(context)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it("lets a handler's decorator replace its controller's", async () => {
    const guard = new BearerTokenGuard(new Reflector(), new KnownTokens());
    const { inherited, closed } = OpenController.prototype;
    await expect(guard.canActivate(contextOf(OpenController, inherited, { headers: {} }))).resolves.toBe(true);
    await expect(guard.canActivate(contextOf(OpenController, closed, { headers: {} }))).rejects.toThrow(
      UnauthenticatedError,
    );
  });

  it('rejects an authenticator that answers with a principal of the other interface', async () => {
    const confused = new (class extends Authenticator {
      override authenticate(): Promise<Principal> {
        return Promise.resolve(fullAdmin);
      }
    })();
    const guard = new BearerTokenGuard(new Reflector(), confused);
    const context = contextOf(Routes, Routes.prototype.users, { headers: { authorization: 'Bearer x' } });
    await expect(guard.canActivate(context)).rejects.toThrow(UnauthenticatedError);
  });

  it('leaves the principal on the request', async () => {
    const request: Partial<AuthenticatedRequest> = { headers: { authorization: 'Bearer provisioner' } };
    await new BearerTokenGuard(new Reflector(), new KnownTokens()).canActivate(
      contextOf(Routes, Routes.prototype.users, request),
    );
    expect(request.principal).toEqual({ kind: 'provider', provider: 'acme', actor: 'token:1' });
  });

  it('tells the listener of denials, not of failures', async () => {
    const denials = new Denials();
    const failing = new KnownTokens();
    const guard = new BearerTokenGuard(new Reflector(), failing, denials);
    const context = contextOf(Routes, Routes.prototype.users, { headers: { authorization: 'Bearer unknown' } });
    await expect(guard.canActivate(context)).rejects.toThrow(UnauthenticatedError);
    failing.authenticate = () => Promise.reject(new Error('database down'));
    await expect(guard.canActivate(context)).rejects.toThrow('database down');
    expect(denials.denied).toHaveBeenCalledTimes(1);
  });
});
