import type { X509Certificate } from 'node:crypto';
import { UnauthenticatedError } from '../../errors/unauthenticated.error.js';
import { isJwt, type JwtRequirements, type JwtVerifier } from '../../jwt/jwt-verifier.js';
import type { IdentityClaim } from '../namespace-identity.js';
import { isHolderOf } from './certificate-binding.js';
import { claimOfToken, type TokenClaimNames } from './token-claims.js';

/** The issuer whose tokens are accepted, and what their claims are called. */
export interface TokenOptions extends Omit<JwtRequirements, 'subject'>, TokenClaimNames {}

/** Tells from a token of the issuer for which namespaces its holder may call. */
export class TokenIdentifier {
  constructor(
    private readonly options: TokenOptions,
    private readonly verifier: JwtVerifier,
  ) {}

  /**
   * @param certificate that the client has proved to hold, for tokens that are bound to one
   * @throws {UnauthenticatedError} {@link IssuerUnavailableError}
   */
  async identify(token: string, certificate: X509Certificate | undefined): Promise<IdentityClaim> {
    if (!isJwt(token)) {
      throw new UnauthenticatedError('invalid');
    }
    const claims = await this.verifier.verify(token, this.options);
    if (!isHolderOf(claims, certificate)) {
      throw new UnauthenticatedError('invalid');
    }
    return claimOfToken(claims, this.options);
  }
}
