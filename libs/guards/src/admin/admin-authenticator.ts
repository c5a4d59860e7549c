import { UnauthenticatedError } from '../errors/unauthenticated.error.js';
import { isJwt, type JwtVerifier } from '../jwt/jwt-verifier.js';
import { ADMIN_SCOPES, type AdminPrincipal } from '../principal.js';
import { digestSecret, equalDigests } from '../secrets/secret-digest.js';
import { adminOf, type AdminClaimNames } from './admin-claims.js';
import type { AdminTokenDigest } from './admin-token-digest.js';

/** The OpenID Connect issuer whose tokens admins present. */
export interface AdminJwtOptions extends AdminClaimNames {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUri: string;
}

export interface AdminCredentials {
  /** Each may do everything. */
  readonly tokens: readonly AdminTokenDigest[];
  readonly jwt?: AdminJwtOptions;
}

/** Tells admins by static tokens or by JWTs of one issuer. Without either configured, nobody is an admin. */
export class AdminAuthenticator {
  constructor(
    private readonly credentials: AdminCredentials,
    private readonly verifier: JwtVerifier,
  ) {}

  /** @throws {UnauthenticatedError} {@link IssuerUnavailableError} */
  async authenticate(token: string): Promise<AdminPrincipal> {
    const digest = digestSecret(token);
    const match = this.credentials.tokens.find((known) => equalDigests(known.digest, digest));
    if (match !== undefined) {
      return { kind: 'admin', actor: match.name, scopes: ADMIN_SCOPES, namespaces: '*' };
    }
    const { jwt } = this.credentials;
    if (jwt === undefined || !isJwt(token)) {
      throw new UnauthenticatedError('invalid');
    }
    return adminOf(await this.verifier.verify(token, jwt), jwt);
  }
}
