import { Reflector } from '@nestjs/core';
import type { AdminScope } from './principal.js';

/** Who may call a route. */
export type RouteAccess =
  | {
      readonly kind: 'public';
      /** Callers with a credential must be admins of every namespace who have the scope. */
      readonly scope?: AdminScope;
    }
  | { readonly kind: 'namespace' }
  | { readonly kind: 'scim'; readonly admitsUsers: boolean }
  | {
      readonly kind: 'admin';
      readonly scope: AdminScope;
      readonly everyNamespace: boolean;
      readonly admitsProxies?: boolean;
    };

/** The metadata behind the decorators below; a handler's overrides its controller's. */
export const RouteAccessOf = Reflector.createDecorator<RouteAccess>();

type RouteDecorator = MethodDecorator & ClassDecorator;

/** The route is open to everybody; no credential is looked at. */
export function Public(): RouteDecorator {
  return RouteAccessOf({ kind: 'public' });
}

/**
 * The route is open to everybody, and tells more to admins of every namespace who have the scope: a credential is looked at
 * if there is one. Guards of namespaces look at none.
 */
export function PublicOrFullAdmin(scope: AdminScope): RouteDecorator {
  return RouteAccessOf({ kind: 'public', scope });
}

/** The route is for provisioners. */
export function ForProvider(): RouteDecorator {
  return RouteAccessOf({ kind: 'scim', admitsUsers: false });
}

/** The route is for provisioners and for users: `/Me` and discovery. */
export function ForProviderOrUser(): RouteDecorator {
  return RouteAccessOf({ kind: 'scim', admitsUsers: true });
}

/** The route is for admins with the scope, whatever namespaces they manage: the service behind it checks these. */
export function ForAdmin(scope: AdminScope): RouteDecorator {
  return RouteAccessOf({ kind: 'admin', scope, everyNamespace: false });
}

/** The route is for admins of every namespace who have the scope. */
export function ForFullAdmin(scope: AdminScope): RouteDecorator {
  return RouteAccessOf({ kind: 'admin', scope, everyNamespace: true });
}

/** The route is for admins as {@link ForFullAdmin} says, and for proxies, each for itself: the service behind it checks that. */
export function ForFullAdminOrProxy(scope: AdminScope): RouteDecorator {
  return RouteAccessOf({ kind: 'admin', scope, everyNamespace: true, admitsProxies: true });
}
