import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ProviderId } from '@palisade/domain';
import type { AdminPrincipal, AuthenticatedRequest, Principal, ProxyPrincipal } from './principal.js';

/**
 * Whoever the guard admitted.
 *
 * @throws {TypeError} on a public route, which has no principal
 */
export function principalOf({ principal }: Pick<AuthenticatedRequest, 'principal'>): Principal {
  if (principal === undefined) {
    throw new TypeError('a public route has no principal');
  }
  return principal;
}

/** The authenticated caller. */
export const CurrentPrincipal: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext): Principal => principalOf(context.switchToHttp().getRequest()),
);

/** The provider that the caller's credential belongs to: the only one whose objects the request may reach. */
export const Provider: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext): ProviderId => {
    const principal = principalOf(context.switchToHttp().getRequest());
    if (principal.kind === 'admin' || principal.kind === 'proxy') {
      throw new TypeError('@Provider() on a route that is not for providers');
    }
    return principal.provider;
  },
);

/** The admin who calls. */
export const Admin: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext): AdminPrincipal => {
    const principal = principalOf(context.switchToHttp().getRequest());
    if (principal.kind !== 'admin') {
      throw new TypeError('@Admin() on a route that is not for admins');
    }
    return principal;
  },
);

/** The admin or the proxy that calls, on a route for both. */
export const AdminOrProxy: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext): AdminPrincipal | ProxyPrincipal => {
    const principal = principalOf(context.switchToHttp().getRequest());
    if (principal.kind !== 'admin' && principal.kind !== 'proxy') {
      throw new TypeError('@AdminOrProxy() on a route that is for neither');
    }
    return principal;
  },
);
