import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest } from '../principal.js';
import { RouteAccessOf } from '../route-access.js';
import type { NamespaceIdentity } from './namespace-identity.js';

/** A request that went through {@link NamespaceGuard}; without an identity on public routes. */
export interface NamespaceRequest extends AuthenticatedRequest {
  namespaceIdentity?: NamespaceIdentity;
}

/** The route is for callers of a namespace, each for their own. */
export function ForNamespace(): MethodDecorator & ClassDecorator {
  return RouteAccessOf({ kind: 'namespace' });
}

/**
 * Whoever the guard admitted.
 *
 * @throws {TypeError} on a route that is not for callers of a namespace
 */
export function namespaceIdentityOf({
  namespaceIdentity,
}: Pick<NamespaceRequest, 'namespaceIdentity'>): NamespaceIdentity {
  if (namespaceIdentity === undefined) {
    throw new TypeError('@CurrentNamespace() on a route that is not @ForNamespace()');
  }
  return namespaceIdentity;
}

/** Who calls, and for which namespace. */
export const CurrentNamespace: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext): NamespaceIdentity =>
    namespaceIdentityOf(context.switchToHttp().getRequest()),
);
