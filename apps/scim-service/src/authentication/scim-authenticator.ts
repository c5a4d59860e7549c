import { Injectable } from '@nestjs/common';
import {
  UnauthenticatedError,
  digestSecret,
  equalDigests,
  isJwt,
  readUnverifiedClaims,
  type ProviderPrincipal,
  type UserPrincipal,
} from '@palisade/guards';
import { ACCESS_TOKEN_ISSUER, AccessTokens } from './access-tokens.js';
import { AuthenticationConfig } from './authentication.config.js';
import { ConfiguredProvider } from './configured-provider.js';
import { FederatedTokens } from './federated-tokens.js';
import { ProviderCache } from './provider-cache.js';
import { StoredTokens } from './stored-tokens.js';

/**
 * Tells providers, and their users, by what they present at the SCIM endpoints: the token of the environment, stored
 * tokens, access tokens of our own token endpoint, and tokens of issuers that a provider trusts.
 */
@Injectable()
export class ScimAuthenticator {
  private readonly environmentDigest: string | undefined;

  constructor(
    private readonly config: AuthenticationConfig,
    private readonly providers: ProviderCache,
    private readonly configuredProvider: ConfiguredProvider,
    private readonly storedTokens: StoredTokens,
    private readonly accessTokens: AccessTokens,
    private readonly federatedTokens: FederatedTokens,
  ) {
    this.environmentDigest = config.scimBearerToken && digestSecret(config.scimBearerToken);
  }

  /** @throws {UnauthenticatedError} {@link IssuerUnavailableError} */
  async authenticate(token: string): Promise<ProviderPrincipal | UserPrincipal> {
    const principal = await this.identify(token);
    if ((await this.providers.find(principal.provider)) === undefined) {
      throw new UnauthenticatedError('invalid');
    }
    return principal;
  }

  private async identify(token: string): Promise<ProviderPrincipal | UserPrincipal> {
    const digest = digestSecret(token);
    if (this.environmentDigest !== undefined && equalDigests(this.environmentDigest, digest)) {
      await this.configuredProvider.ensure();
      return { kind: 'provider', provider: this.config.scimProviderId, actor: 'token:environment' };
    }
    return isJwt(token) ? this.identifyByJwt(token) : this.storedTokens.identify(digest);
  }

  private async identifyByJwt(token: string): Promise<ProviderPrincipal | UserPrincipal> {
    const claims = readUnverifiedClaims(token);
    return claims.iss === ACCESS_TOKEN_ISSUER
      ? this.storedTokens.identifyClient(await this.accessTokens.verify(token))
      : this.federatedTokens.authenticate(token, claims);
  }
}
