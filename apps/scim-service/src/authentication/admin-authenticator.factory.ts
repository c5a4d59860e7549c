import { AdminAuthenticator, STATIC_ADMIN_ACTOR, digestSecret, type JwtVerifier } from '@palisade/guards';
import type { AuthenticationConfig } from './authentication.config.js';

/** Admins as the configuration names them. */
export function createAdminAuthenticator(config: AuthenticationConfig, verifier: JwtVerifier): AdminAuthenticator {
  const { adminToken, adminTokenDigests, adminJwt } = config;
  const own = adminToken ? [{ name: STATIC_ADMIN_ACTOR, digest: digestSecret(adminToken) }] : [];
  return new AdminAuthenticator({ tokens: [...own, ...adminTokenDigests], jwt: adminJwt }, verifier);
}
