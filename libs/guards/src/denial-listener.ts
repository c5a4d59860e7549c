import type { ForbiddenError, UnauthenticatedError } from './authentication.errors.js';
import type {
  NamespaceAmbiguousError,
  NamespaceNotFoundError,
  NamespaceUnauthenticatedError,
} from './namespace/namespace.errors.js';
import type { AuthenticatedRequest } from './principal.js';

/** Why {@link BearerTokenGuard} or {@link NamespaceGuard} rejected a request. */
export type Denial =
  | UnauthenticatedError
  | ForbiddenError
  | NamespaceUnauthenticatedError
  | NamespaceNotFoundError
  | NamespaceAmbiguousError;

/** Called for each request that a guard rejects. Must neither throw nor take time. */
export abstract class DenialListener {
  /** `request.principal` is set when the caller was known but not allowed. */
  abstract denied(error: Denial, request: AuthenticatedRequest): void;
}

/** The route's template, `/api/v1/tenants/:tenant_id`: paths hold names of people, and queries hold more. */
export function routeOf({ route, baseUrl }: AuthenticatedRequest): string {
  const path: unknown = (route as { path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? `${baseUrl}${path}` : 'unknown';
}
