import { type AdminClaimNames, adminOf, isOfProxy, type ProxyClaimNames, proxyOf } from './admin-claims.js';
import { UnauthenticatedError } from './authentication.errors.js';
import { isJwt, type JwtVerifier } from './jwt-verifier.js';
import { ADMIN_SCOPES, type AdminPrincipal, type AdminScope, type ProxyPrincipal } from './principal.js';
import { findByToken } from './secret-digest.js';
import type { AdminTokenDigest } from './token-digests.js';

/** The OpenID Connect issuer whose tokens admins and proxies present. */
export interface AdminJwtOptions extends AdminClaimNames {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUri: string;
  /** Absent where proxies have no business. */
  readonly proxyClaims?: ProxyClaimNames;
}

export interface AdminCredentials {
  readonly tokens: readonly AdminTokenDigest[];
  readonly jwt?: AdminJwtOptions;
}

/** Recognises admins by static tokens, and admins and proxies by JWTs of one issuer. With neither configured, it admits nobody. */
export class AdminAuthenticator {
  constructor(
    private readonly credentials: AdminCredentials,
    private readonly verifier: JwtVerifier,
  ) {}

  /** @throws {UnauthenticatedError} {@link IssuerUnavailableError} */
  async authenticate(token: string): Promise<AdminPrincipal | ProxyPrincipal> {
    const match = findByToken(this.credentials.tokens, token);
    if (match !== undefined) {
      return { kind: 'admin', actor: match.name, scopes: scopesUpTo(match.scope), namespaces: '*' };
    }
    const { jwt } = this.credentials;
    if (jwt === undefined || !isJwt(token)) {
      throw new UnauthenticatedError('invalid');
    }
    const claims = await this.verifier.verify(token, jwt);
    if (!isOfProxy(claims)) {
      return adminOf(claims, jwt);
    }
    if (jwt.proxyClaims === undefined) {
      throw new UnauthenticatedError('invalid');
    }
    return proxyOf(claims, jwt.proxyClaims);
  }
}

function scopesUpTo(scope: AdminScope): readonly AdminScope[] {
  return ADMIN_SCOPES.slice(0, ADMIN_SCOPES.indexOf(scope) + 1);
}
