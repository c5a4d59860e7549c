import type { AuthenticatedRequest } from './authenticated-request.js';
import type { ForbiddenError } from './errors/forbidden.error.js';
import type { UnauthenticatedError } from './errors/unauthenticated.error.js';

/** Is told of each request that {@link BearerTokenGuard} refuses. Must neither throw nor take time. */
export abstract class RefusalListener {
  /** `request.principal` is set when the caller was known but not allowed. */
  abstract refused(error: UnauthenticatedError | ForbiddenError, request: AuthenticatedRequest): void;
}
