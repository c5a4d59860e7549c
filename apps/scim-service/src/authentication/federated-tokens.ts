import { Injectable, Logger } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import type { Provider, ProviderId, TrustedIssuer } from '@palisade/domain';
import {
  isDisputedEmail,
  isIdentityText,
  JwtVerifier,
  type ProviderPrincipal,
  UnauthenticatedError,
  type UserPrincipal,
} from '@palisade/guards';
import { ProviderCache } from './provider-cache.js';

const MAX_ISSUER_LENGTH = 2048;

interface Trust {
  readonly provider: ProviderId;
  readonly issuer: TrustedIssuer;
}

/** Tokens of the external issuers that providers trust. */
@Injectable()
export class FederatedTokens {
  private readonly logger = new Logger(FederatedTokens.name);

  constructor(
    private readonly providers: ProviderCache,
    private readonly verifier: JwtVerifier,
  ) {}

  /**
   * @param claims the token's own, unverified: they tell which provider's trust is to be tried
   * @throws {UnauthenticatedError} {@link IssuerUnavailableError}
   */
  async authenticate(token: string, claims: JWTPayload): Promise<ProviderPrincipal | UserPrincipal> {
    const { provider, issuer } = await this.findTrust(claims);
    const verified = await this.verifier.verify(token, issuer);
    if (issuer.role === 'provisioner') {
      return { kind: 'provider', provider, actor: `federated:${verified.sub}` };
    }
    const userName = userNameOf(verified, issuer);
    return { kind: 'user', provider, userName, actor: `user:${userName}` };
  }

  private async findTrust(claims: JWTPayload): Promise<Trust> {
    const { iss } = claims;
    if (!isIdentityText(iss, MAX_ISSUER_LENGTH)) {
      throw new UnauthenticatedError('invalid');
    }
    const trusts = await this.findTrusts(iss, claims);
    const named = trusts.filter(({ issuer }) => issuer.subject !== undefined);
    const [trust, ambiguous] = named.length > 0 ? named : trusts;
    if (trust === undefined) {
      throw new UnauthenticatedError('invalid');
    }
    if (ambiguous !== undefined) {
      this.logger.warn(`providers "${trust.provider}" and "${ambiguous.provider}" trust the same tokens of ${iss}`);
      throw new UnauthenticatedError('invalid');
    }
    return trust;
  }

  private async findTrusts(issuer: string, claims: JWTPayload): Promise<Trust[]> {
    const known = trustsAmong(await this.providers.findByIssuer(issuer), claims);
    if (known.length > 0) {
      return known;
    }
    // Trust that another replica has just added holds at once; only its end may take until the cache has expired.
    this.providers.forgetIssuer(issuer);
    return trustsAmong(await this.providers.findByIssuer(issuer), claims);
  }
}

function trustsAmong(providers: readonly Provider[], claims: JWTPayload): Trust[] {
  return providers.flatMap(({ id, settings }) =>
    settings.trustedIssuers
      .filter((issuer) => issuer.issuer === claims.iss && concerns(issuer, claims))
      .map((issuer) => ({ provider: id, issuer })),
  );
}

function concerns({ audience, subject, role }: TrustedIssuer, { aud, sub }: JWTPayload): boolean {
  const isAddressed = Array.isArray(aud) ? aud.includes(audience) : aud === audience;
  // A provisioner is one named subject: otherwise whoever gets a token of the issuer could provision.
  return isAddressed && (subject === undefined ? role === 'user' : subject === sub);
}

function userNameOf(claims: JWTPayload, { userClaim }: TrustedIssuer): string {
  const userName = userClaim === undefined ? undefined : claims[userClaim];
  if (isDisputedEmail(claims, userClaim) || !isIdentityText(userName)) {
    throw new UnauthenticatedError('invalid');
  }
  return userName;
}
