import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify } from 'jose';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { IssuerUnavailableError } from '../errors/issuer-unavailable.error.js';
import { UnauthenticatedError } from '../errors/unauthenticated.error.js';
import { fetchBounded } from './bounded-fetch.js';
import { isJwksUri } from './jwks-uri.js';

/** What a token must say, and who vouches for it. */
export interface JwtRequirements {
  /** Exact `iss`. */
  readonly issuer: string;
  /** One of `aud`. */
  readonly audience: string;
  /** Exact `sub`. */
  readonly subject?: string;
  /** Where the issuer publishes its keys; see {@link isJwksUri}. */
  readonly jwksUri: string;
}

/** Asymmetric only: with a symmetric one, or "none", whoever knows the public key could sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_KEY_SETS = 1000;
const KEY_FETCH_TIMEOUT_MS = 5000;
/** Errors of jose that tell of the key endpoint, not of the token. */
const KEY_SET_ERRORS: ReadonlySet<string> = new Set([
  errors.JOSEError.code,
  errors.JWKSInvalid.code,
  errors.JWKSTimeout.code,
]);

/**
 * Verifies tokens of external issuers. An issuer's keys are fetched when first needed, kept for ten minutes, and
 * fetched again when a token names an unknown key, at most every 30 seconds. At most 1000 issuers' keys are kept.
 */
export class JwtVerifier {
  private readonly keySets = new LRUCache<string, JWTVerifyGetKey>({ max: MAX_KEY_SETS });

  /** @param now milliseconds since 1970 */
  constructor(private readonly now: () => number = Date.now) {}

  /**
   * The claims of a token that meets the requirements and has not expired (`exp` is required; 30 s of clock skew are forgiven).
   *
   * @throws {UnauthenticatedError} when it does not
   * @throws {IssuerUnavailableError} when the keys cannot be fetched
   */
  async verify(token: string, { issuer, audience, subject, jwksUri }: JwtRequirements): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, this.keySet(jwksUri), {
        issuer,
        audience,
        subject,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(this.now()),
      });
      return payload;
    } catch (error) {
      throw explain(error, issuer);
    }
  }

  private keySet(jwksUri: string): JWTVerifyGetKey {
    const known = this.keySets.get(jwksUri);
    if (known !== undefined) {
      return known;
    }
    if (!isJwksUri(jwksUri)) {
      throw new TypeError(`keys are fetched over https or from this host only, not from ${jwksUri}`);
    }
    const keySet = createRemoteJWKSet(new URL(jwksUri), {
      timeoutDuration: KEY_FETCH_TIMEOUT_MS,
      [customFetch]: fetchBounded,
    });
    this.keySets.set(jwksUri, keySet);
    return keySet;
  }
}

/** Whether a token has the form of a signed JWT (RFC 7515 §7.1). */
export function isJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
}

/**
 * What a token claims, unverified: only good for finding out whom to ask.
 *
 * @throws {UnauthenticatedError} when it is no JWT
 */
export function readUnverifiedClaims(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch (cause) {
    throw new UnauthenticatedError('invalid', { cause });
  }
}

function explain(error: unknown, issuer: string): unknown {
  if (error instanceof errors.JWTExpired) {
    return new UnauthenticatedError('expired', { cause: error });
  }
  if (error instanceof errors.JOSEError && !KEY_SET_ERRORS.has(error.code)) {
    return new UnauthenticatedError('invalid', { cause: error });
  }
  // What is left is the network's failure, or keys that cannot be used.
  return new IssuerUnavailableError(issuer, { cause: error });
}
