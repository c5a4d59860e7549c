import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { digestSecret, UnauthenticatedError } from '@palisade/guards';
import { DeniedAttempts } from '@palisade/platform';
import { AccessTokens } from '../authentication/access-tokens.js';
import { StoredTokens } from '../authentication/stored-tokens.js';
import { OAuthError } from './oauth.errors.js';
import { type ClientCredentials, readTokenRequest, type TokenRequest } from './token-request.js';

/** RFC 6749 §5.1. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  /** Always stated, as whatever scope is asked for, the token is for all of SCIM (RFC 6749 §3.3). */
  readonly scope: 'scim';
}

/** OAuth 2.0 client credentials (RFC 6749 §4.4) for providers. */
@Injectable()
export class OAuthService {
  constructor(
    private readonly storedTokens: StoredTokens,
    private readonly accessTokens: AccessTokens,
    private readonly denied: DeniedAttempts,
  ) {}

  /** @throws {OAuthError} */
  async issueAccessToken(request: TokenRequest, remoteAddress: string): Promise<TokenAnswer> {
    const credentials = readTokenRequest(request);
    const client = await this.authenticate(credentials, remoteAddress);
    const { accessToken, expiresInSeconds } = await this.accessTokens.issue(client);
    return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds, scope: 'scim' };
  }

  async publicKeys(): Promise<{ keys: JWK[] }> {
    return { keys: await this.accessTokens.publicKeys() };
  }

  private async authenticate({ clientId, clientSecret }: ClientCredentials, remoteAddress: string) {
    try {
      return await this.storedTokens.identifyClientBySecret(clientId, digestSecret(clientSecret));
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) {
        throw error;
      }
      this.denied.recordUnauthenticated('POST /oauth/token', error.reason, remoteAddress);
      throw new OAuthError('invalid_client', 'unknown client or wrong secret', { cause: error });
    }
  }
}
