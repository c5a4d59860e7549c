import { AdminAuthenticator, digestSecret, type JwtVerifier } from '@palisade/guards';
import type { AuthenticationConfig } from './authentication.config.js';

/** The name under which the holder of SVC_ADMIN_TOKEN acts. */
const STATIC_ADMIN = 'admin';

/** Admins as the configuration names them. */
export function createAdminAuthenticator(config: AuthenticationConfig, verifier: JwtVerifier): AdminAuthenticator {
  const { adminToken, adminTokenDigests, adminJwt } = config;
  const own = adminToken ? [{ name: STATIC_ADMIN, digest: digestSecret(adminToken) }] : [];
  return new AdminAuthenticator({ tokens: [...own, ...adminTokenDigests], jwt: adminJwt }, verifier);
}
