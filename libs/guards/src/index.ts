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
export { RefusalListener, type Refusal } from './refusal-listener.js';
export { routeOf } from './route-of.js';

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

export { NamespaceGuard } from './namespace/namespace.guard.js';
export {
  NamespaceAuthenticator,
  type IdentifiedRequest,
  type NamespaceAuthenticatorOptions,
} from './namespace/namespace-authenticator.js';
export {
  CurrentNamespace,
  ForNamespace,
  namespaceIdentityOf,
  type NamespaceRequest,
} from './namespace/namespace.decorators.js';
export { IDENTITY_METHODS, type IdentityMethod, type NamespaceIdentity } from './namespace/namespace-identity.js';
export type { NamespaceRequestOptions } from './namespace/requested-namespace.js';
export type { CertificateOptions } from './namespace/certificate/certificate-identifier.js';
export type { TokenOptions } from './namespace/token/token-identifier.js';
export type { TokenClaimNames } from './namespace/token/token-claims.js';
export { apiKeyDirectory, createApiKey, type ApiKey, type ApiKeyDirectory } from './namespace/api-key/api-key.js';
export { NamespaceAmbiguousError } from './namespace/errors/namespace-ambiguous.error.js';
export { NamespaceNotFoundError } from './namespace/errors/namespace-not-found.error.js';
export {
  NamespaceUnauthenticatedError,
  type IdentityRejection,
} from './namespace/errors/namespace-unauthenticated.error.js';
