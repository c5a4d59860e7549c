import type { Dialect, ProviderId } from '@palisade/domain';
import type { AdminJwtOptions, AdminTokenDigest } from '@palisade/guards';

/** Who may call, as far as the environment says it. */
export abstract class AuthenticationConfig {
  /** SVC_SCIM_BEARER_TOKEN: acts for `scimProviderId`. */
  abstract readonly scimBearerToken?: string;
  /** SVC_SCIM_PROVIDER_ID, `default`. Created when `scimBearerToken` is set and it does not exist, see `ConfiguredProvider`. */
  abstract readonly scimProviderId: ProviderId;
  /** SVC_SCIM_DIALECT; when set it is written to the provider at each start, when not set the provider keeps its own. */
  abstract readonly scimDialect?: Dialect;
  /** SVC_ADMIN_TOKEN: may do everything on `/api/v1`, under the name `admin`. */
  abstract readonly adminToken?: string;
  /** SVC_ADMIN_TOKEN_DIGESTS, read by `parseAdminTokenDigests`: more such tokens, each under its own name. Empty by default. */
  abstract readonly adminTokenDigests: readonly AdminTokenDigest[];
  /**
   * SVC_ADMIN_JWT_ISSUER, SVC_SCIM_ADMIN_JWT_AUDIENCE and SVC_ADMIN_JWT_JWKS_URI (see `isJwksUri`), all three or none;
   * SVC_ADMIN_JWT_NAMESPACES_CLAIM (`namespaces`) and SVC_ADMIN_JWT_IDENTITY_CLAIM (`email`).
   */
  abstract readonly adminJwt?: AdminJwtOptions;
}
