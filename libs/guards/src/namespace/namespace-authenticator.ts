import type { X509Certificate } from 'node:crypto';
import type { Request } from 'express';
import { readBearerToken } from '../bearer-header.js';
import { bearerChallenge, UnauthenticatedError } from '../authentication.errors.js';
import { JwtVerifier } from '../jwt-verifier.js';
import { type ApiKeyDirectory, ApiKeyIdentifier } from './api-key.js';
import {
  CertificateIdentifier,
  type CertificateOptions,
  isTrusted,
  presentedCertificate,
} from './certificate-identifier.js';
import { NamespaceUnauthenticatedError, type IdentityRejection } from './namespace.errors.js';
import { type IdentityClaim, type NamespaceIdentity, resolveIdentity } from './namespace-identity.js';
import { requestedNamespace, type NamespaceRequestOptions } from './requested-namespace.js';
import { TokenIdentifier, type TokenOptions } from './token-identifier.js';

/** Which credentials are accepted: those that are configured here, and no others. */
export interface NamespaceAuthenticatorOptions {
  /** Client certificates of TLS connections that this process itself terminates, and whose chain it verifies. */
  readonly certificates?: CertificateOptions;
  /** Tokens in the Authorization header. */
  readonly tokens?: TokenOptions;
  /** Keys in the header `X-Api-Key`, for less sensitive environments. */
  readonly apiKeys?: ApiKeyDirectory;
  /** Where requests name the namespace that they are for. */
  readonly request?: NamespaceRequestOptions;
  /** Default: one of its own. */
  readonly verifier?: JwtVerifier;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export type IdentifiedRequest = Pick<Request, 'headers' | 'headersDistinct' | 'params' | 'socket'>;

const API_KEY_HEADER = 'x-api-key';

/**
 * Finds the namespace of a request from its credentials: all that it presents must be valid and must agree, and one of a kind
 * that is not accepted is invalid. The namespace that the request names must be one of theirs.
 */
export class NamespaceAuthenticator {
  readonly #certificates: CertificateIdentifier | undefined;
  readonly #tokens: TokenIdentifier | undefined;
  readonly #apiKeys: ApiKeyIdentifier | undefined;
  readonly #request: NamespaceRequestOptions | undefined;
  readonly #now: () => number;
  readonly #challenge: string;

  /** @throws {TypeError} when no credential is accepted, or a pattern is invalid */
  constructor(options: NamespaceAuthenticatorOptions) {
    const { certificates, tokens, apiKeys, request, now = Date.now, verifier = new JwtVerifier(now) } = options;
    this.#certificates = certificates && new CertificateIdentifier(certificates);
    this.#tokens = tokens && new TokenIdentifier(tokens, verifier);
    this.#apiKeys = apiKeys && new ApiKeyIdentifier(apiKeys);
    this.#request = request;
    this.#now = now;
    this.#challenge = challengeOf(options);
  }

  /**
   * @throws {NamespaceUnauthenticatedError} {@link UnauthenticatedError} when the request has no credential, or a wrong one
   * @throws {NamespaceNotFoundError} {@link NamespaceAmbiguousError} when the request is for none of the caller's namespaces
   * @throws {IssuerUnavailableError} when the keys that would verify a token cannot be loaded
   */
  async authenticate(request: IdentifiedRequest): Promise<NamespaceIdentity> {
    const presented = [await this.#ofCertificate(request), await this.#ofToken(request), await this.#ofApiKey(request)];
    const claims = presented.filter((claim) => claim !== undefined);
    if (claims.length === 0) {
      throw this.#rejection('missing');
    }
    const identity = resolveIdentity(claims, requestedNamespace(request, this.#request));
    if (identity === undefined) {
      throw this.#rejection('conflicting');
    }
    return identity;
  }

  async #ofCertificate({ socket }: IdentifiedRequest): Promise<IdentityClaim | undefined> {
    const certificate = this.#certificates && presentedCertificate(socket);
    if (this.#certificates === undefined || certificate === undefined) {
      return undefined;
    }
    return this.#accept(isTrusted(socket) ? this.#certificates.identify(certificate, this.#now()) : 'invalid');
  }

  async #ofToken(request: IdentifiedRequest): Promise<IdentityClaim | undefined> {
    const authorization = this.#single(request, 'authorization');
    if (authorization === undefined) {
      return undefined;
    }
    const token = readTokenIfAny(authorization);
    if (this.#tokens === undefined || token === undefined) {
      throw this.#rejection('invalid');
    }
    const certificate: X509Certificate | undefined = presentedCertificate(request.socket);
    return this.#tokens.identify(token, certificate);
  }

  async #ofApiKey(request: IdentifiedRequest): Promise<IdentityClaim | undefined> {
    const key = this.#single(request, API_KEY_HEADER);
    if (key === undefined) {
      return undefined;
    }
    return this.#accept(this.#apiKeys === undefined ? 'invalid' : await this.#apiKeys.identify(key, this.#now()));
  }

  #accept(finding: IdentityClaim | IdentityRejection): IdentityClaim {
    if (typeof finding === 'string') {
      throw this.#rejection(finding);
    }
    return finding;
  }

  /** Node keeps the first of several Authorization headers and joins other headers; a proxy may have looked at another one. */
  #single({ headersDistinct }: IdentifiedRequest, name: string): string | undefined {
    const values = headersDistinct[name] ?? [];
    if (values.length > 1) {
      throw this.#rejection('malformed');
    }
    return values[0];
  }

  #rejection(reason: IdentityRejection): NamespaceUnauthenticatedError {
    return new NamespaceUnauthenticatedError(reason, this.#challenge);
  }
}

/** Undefined when the header holds something other than a bearer token. */
function readTokenIfAny(authorization: string): string | undefined {
  try {
    return readBearerToken(authorization);
  } catch (error) {
    if (error instanceof UnauthenticatedError && error.reason === 'missing') {
      return undefined;
    }
    throw error;
  }
}

/** RFC 9110 §15.5.2: a 401 "MUST send a WWW-Authenticate header field". API keys and certificates are named like schemes. */
function challengeOf({ certificates, tokens, apiKeys }: NamespaceAuthenticatorOptions): string {
  const challenges = [
    ...(tokens === undefined ? [] : [bearerChallenge()]),
    ...(apiKeys === undefined ? [] : ['ApiKey realm="palisade"']),
    ...(certificates === undefined ? [] : ['ClientCertificate realm="palisade"']),
  ];
  if (challenges.length === 0) {
    throw new TypeError('expected certificates, tokens or apiKeys to be accepted');
  }
  return challenges.join(', ');
}
