import { type AdminClaimNames, adminOf } from './admin-claims.js';
import { UnauthenticatedError } from './authentication.errors.js';
import { isJwt, type JwtVerifier } from './jwt-verifier.js';
import { ADMIN_SCOPES, type AdminPrincipal } from './principal.js';
import { digestSecret, equalDigests } from './secret-digest.js';

/** A static admin token as the configuration gives it. */
export interface AdminTokenDigest {
  /** How audit records and approvals name whoever uses the token. */
  readonly name: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
}

const MAX_NAME_LENGTH = 100;

/**
 * Reads `name:sha256hex` pairs separated by commas, e.g. `alice@example.com:9f86d0…`.
 *
 * @throws {SyntaxError} naming the position of the pair that is wrong, never its digest
 */
export function parseAdminTokenDigests(text: string): AdminTokenDigest[] {
  return text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair, index) => {
      const separator = pair.lastIndexOf(':');
      const name = pair.slice(0, Math.max(separator, 0));
      const digest = pair.slice(separator + 1).toLowerCase();
      if (!isName(name) || !/^[0-9a-f]{64}$/.test(digest)) {
        throw new SyntaxError(`pair ${index + 1}: expected <name>:<64 hexadecimal digits of the token's SHA-256>`);
      }
      return { name, digest };
    });
}

function isName(name: string): boolean {
  return name.length >= 1 && name.length <= MAX_NAME_LENGTH && /^[\x21-\x7e]+$/.test(name);
}

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

/** Recognises admins by static tokens or by JWTs of one issuer. With neither configured, nobody is an admin. */
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
