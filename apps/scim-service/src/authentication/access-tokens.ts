import { Injectable, Optional } from '@nestjs/common';
import { SignJWT, errors, jwtVerify, type JWK, type JWTPayload } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import { InvalidIdentifierError, parseProviderId, type ProviderId, type ProviderToken } from '@palisade/domain';
import { UnauthenticatedError } from '@palisade/guards';
import { SIGNING_ALGORITHM, SigningKey } from '@palisade/platform';

export const ACCESS_TOKEN_ISSUER = 'urn:palisade:scim-service';
const AUDIENCE = 'urn:palisade:scim';
// RFC 9068 §2.1.
const TYPE = 'at+jwt';
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3600;

/** What an access token stands for. */
export interface AccessGrant {
  readonly provider: ProviderId;
  /** Id of the token of kind `client` that it was issued to. */
  readonly clientId: string;
}

/** Access tokens of our own token endpoint: JWTs (RFC 9068) that every replica can verify. */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly signingKey: SigningKey,
    @Optional() private readonly now: () => number = Date.now,
  ) {}

  /** An access token for an hour, or for as long as the client may still be used if that is less. */
  async issue(client: ProviderToken): Promise<{ accessToken: string; expiresInSeconds: number }> {
    const { privateKey, publicJwk } = await this.signingKey.get();
    const issuedAt = Math.floor(this.now() / 1000);
    const clientEnd = client.expiresAt ? Math.floor(client.expiresAt.getTime() / 1000) : Number.POSITIVE_INFINITY;
    const expiresAt = Math.min(issuedAt + ACCESS_TOKEN_LIFETIME_SECONDS, clientEnd);
    const accessToken = await new SignJWT({ client_id: client.id, provider: client.provider })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid: publicJwk.kid })
      .setIssuer(ACCESS_TOKEN_ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(client.id)
      .setJti(uuidv7())
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(privateKey);
    return { accessToken, expiresInSeconds: expiresAt - issuedAt };
  }

  /** @throws {UnauthenticatedError} when it is not one of ours or has expired */
  async verify(token: string): Promise<AccessGrant> {
    const { publicKey } = await this.signingKey.get();
    try {
      const { payload } = await jwtVerify(token, publicKey, {
        algorithms: [SIGNING_ALGORITHM],
        issuer: ACCESS_TOKEN_ISSUER,
        audience: AUDIENCE,
        typ: TYPE,
        requiredClaims: ['exp'],
        currentDate: new Date(this.now()),
      });
      return readGrant(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof InvalidIdentifierError) {
        const reason = error instanceof errors.JWTExpired ? 'expired' : 'invalid';
        throw new UnauthenticatedError(reason, { cause: error });
      }
      throw error;
    }
  }

  /** The keys that others may verify access tokens with. */
  async publicKeys(): Promise<JWK[]> {
    const { publicJwk } = await this.signingKey.get();
    return [publicJwk];
  }
}

function readGrant({ client_id: clientId, provider }: JWTPayload): AccessGrant {
  if (typeof clientId !== 'string' || typeof provider !== 'string') {
    throw new UnauthenticatedError('invalid');
  }
  return { provider: parseProviderId(provider), clientId };
}
