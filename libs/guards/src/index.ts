export {
  ADMIN_SCOPES,
  administers,
  holdsScope,
  type AdminPrincipal,
  type AdminScope,
  type Api,
  type Principal,
  type ProviderPrincipal,
  type UserPrincipal,
} from './principal.js';
export type { AuthenticatedRequest } from './authenticated-request.js';
export { Authenticator, type BearerCredential } from './authenticator.js';
export { RefusalListener } from './refusal-listener.js';

export { BearerTokenGuard } from './bearer-token.guard.js';
export {
  ForAdmin,
  ForFullAdmin,
  ForProvider,
  ForProviderOrUser,
  Public,
  RouteAccessOf,
  type RouteAccess,
} from './route-access.js';
export { Admin, CurrentPrincipal, Provider, principalOf } from './principal.decorators.js';

export { AdminAuthenticator, type AdminCredentials, type AdminJwtOptions } from './admin/admin-authenticator.js';
export { parseAdminTokenDigests, type AdminTokenDigest } from './admin/admin-token-digest.js';
export { CONFIGURATION_ACTOR, STATIC_ADMIN_ACTOR, isReservedActor } from './admin/reserved-actors.js';
export { isDisputedEmail } from './jwt/disputed-email.js';
export { isJwksUri } from './jwt/jwks-uri.js';
export { JwtVerifier, isJwt, readUnverifiedClaims, type JwtRequirements } from './jwt/jwt-verifier.js';
export { digestSecret, equalDigests } from './secrets/secret-digest.js';

export { ForbiddenError } from './errors/forbidden.error.js';
export { IssuerUnavailableError } from './errors/issuer-unavailable.error.js';
export { UnauthenticatedError, type RejectionReason } from './errors/unauthenticated.error.js';
