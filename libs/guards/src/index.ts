export { parseNamespaceId, parseProviderId, type NamespaceId, type ProviderId } from '@palisade/domain';
export {
  ADMIN_SCOPES,
  administers,
  holdsScope,
  mayActAsProxy,
  type AdminPrincipal,
  type AdminScope,
  type Api,
  type AuthenticatedRequest,
  type Principal,
  type ProviderPrincipal,
  type ProxyPrincipal,
  type UserPrincipal,
} from './principal.js';
export { readBearerToken } from './bearer-header.js';
export { Authenticator, type BearerCredential } from './authenticator.js';
export { DenialListener, routeOf, type Denial } from './denial-listener.js';

export { BearerTokenGuard } from './bearer-token.guard.js';
export {
  ForAdmin,
  ForFullAdmin,
  ForFullAdminOrProxy,
  ForProvider,
  ForProviderOrUser,
  Public,
  PublicOrFullAdmin,
  RouteAccessOf,
  type RouteAccess,
} from './route-access.js';
export { Admin, AdminOrProxy, CurrentPrincipal, Provider, principalOf } from './principal.decorators.js';

export { AdminAuthenticator, type AdminCredentials, type AdminJwtOptions } from './admin-authenticator.js';
export {
  parseAdminTokenDigests,
  parseProxyTokenDigests,
  type AdminTokenDigest,
  type ProxyTokenDigest,
} from './token-digests.js';
export {
  CONFIGURATION_ACTOR,
  isDisputedEmail,
  isIdentityText,
  isReservedActor,
  STATIC_ADMIN_ACTOR,
} from './actor-names.js';
export { findForbiddenAddress, guardedLookup } from './outgoing-addresses.js';
export { isJwksUri, isJwt, JwtVerifier, readUnverifiedClaims, type JwtRequirements } from './jwt-verifier.js';
export { digestSecret, equalDigests, findByToken } from './secret-digest.js';

export {
  ForbiddenError,
  IssuerUnavailableError,
  UnauthenticatedError,
  type RejectionReason,
} from './authentication.errors.js';

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
export type { CertificateOptions } from './namespace/certificate-identifier.js';
export type { TokenClaimNames, TokenOptions } from './namespace/token-identifier.js';
export { apiKeyDirectory, createApiKey, type ApiKey, type ApiKeyDirectory } from './namespace/api-key.js';
export {
  NamespaceAmbiguousError,
  NamespaceNotFoundError,
  NamespaceUnauthenticatedError,
  type IdentityRejection,
} from './namespace/namespace.errors.js';
