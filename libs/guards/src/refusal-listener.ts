import type { AuthenticatedRequest } from './authenticated-request.js';
import type { ForbiddenError } from './errors/forbidden.error.js';
import type { UnauthenticatedError } from './errors/unauthenticated.error.js';
import type { NamespaceAmbiguousError } from './namespace/errors/namespace-ambiguous.error.js';
import type { NamespaceNotFoundError } from './namespace/errors/namespace-not-found.error.js';
import type { NamespaceUnauthenticatedError } from './namespace/errors/namespace-unauthenticated.error.js';

/** A refusal of {@link BearerTokenGuard} or {@link NamespaceGuard}. */
export type Refusal =
  | UnauthenticatedError
  | ForbiddenError
  | NamespaceUnauthenticatedError
  | NamespaceNotFoundError
  | NamespaceAmbiguousError;

/** Is told of each request that a guard refuses. Must neither throw nor take time. */
export abstract class RefusalListener {
  /** `request.principal` is set when the caller was known but not allowed. */
  abstract refused(error: Refusal, request: AuthenticatedRequest): void;
}
