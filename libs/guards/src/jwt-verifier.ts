import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { IssuerUnavailableError, UnauthenticatedError } from './authentication.errors.js';
import { findForbiddenAddress, guardedLookup } from './outgoing-addresses.js';

/**
 * Whether keys may be fetched from this URL: https, or http on the loopback interface; no credentials, no fragment, no
 * link-local or metadata address. Somebody who gets a URL of their own configured cannot reach internal services with it,
 * since these have no certificate for its name; redirects are not followed.
 */
export function isJwksUri(text: string): boolean {
  if (text.length > 2048 || !URL.canParse(text)) {
    return false;
  }
  const url = new URL(text);
  const isTrustedTransport = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return (
    isTrustedTransport &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '' &&
    findForbiddenAddress(address) === undefined
  );
}

/** `hostname` as `URL` normalises it: unusual spellings of IPv4 addresses are already dotted decimals. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

const MAX_KEY_SET_BYTES = 256 * 1024;

/**
 * Fetches a key set over a connection of its own, to an address that {@link guardedLookup} has admitted for this request.
 * Gives up on bodies over 256 KiB; follows no redirect.
 */
function fetchBounded(lookup: LookupFunction): FetchImplementation {
  return async (url, { headers, signal }) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    const asked = send(url, { headers: Object.fromEntries(headers), signal, lookup, agent: false }).end();
    // What breaks the connection later also ends the body.
    asked.on('error', () => {});
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    let totalBytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      totalBytes += chunk.byteLength;
      if (totalBytes > MAX_KEY_SET_BYTES) {
        throw new RangeError(`the key set at ${url} is larger than ${MAX_KEY_SET_BYTES} bytes`);
      }
      chunks.push(chunk);
    }
    return new Response(Buffer.concat(chunks), { status: response.statusCode });
  };
}

/** What a token must contain, and who must have issued it. */
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
/** Errors of jose that concern the key endpoint, not the token. */
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

  /**
   * @param now milliseconds since 1970
   * @param resolve names of key endpoints; the system's resolver by default
   */
  constructor(
    private readonly now: () => number = Date.now,
    private readonly resolve?: LookupFunction,
  ) {}

  /**
   * The claims of a token that meets the requirements and has not expired (`exp` is required; 30 s of clock skew are tolerated).
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
      [customFetch]: fetchBounded(guardedLookup(this.resolve)),
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
 * The unverified claims of a token: good only for choosing the issuer whose keys verify it.
 *
 * @throws {UnauthenticatedError} when the token is not a JWT
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
  // Everything else is a network failure, or keys that cannot be used.
  return new IssuerUnavailableError(issuer, { cause: error });
}
