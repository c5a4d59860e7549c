import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { InvalidIdentifierError, parseNamespaceId, parseTenantId } from '@palisade/domain';
import { dnsPattern, type NamePattern, type PlaceholderValues, spiffePattern } from './name-pattern.js';
import type { IdentityClaim } from './namespace-identity.js';
import { type AlternativeName, parseAlternativeNames } from './subject-alternative-names.js';

/**
 * The certificate that the client has presented and proved to hold, whether or not its chain is trusted. A certificate
 * counts only when it is there: on a resumed TLS session `authorized` can be true without any.
 */
export function presentedCertificate(socket: Socket): X509Certificate | undefined {
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
}

/** Whether the server has verified that an authority it trusts for clients has issued the certificate. */
export function isTrusted(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.authorized;
}

export interface CertificateOptions {
  /** Patterns of SPIFFE IDs; see {@link spiffePattern}. A certificate that has a SPIFFE ID may have no other URI. */
  readonly spiffeIds?: readonly string[];
  /** Patterns of DNS names; see {@link dnsPattern}. */
  readonly dnsNames?: readonly string[];
}

/** The identity that a certificate proves, or why it proves none. */
export type CertificateFinding = IdentityClaim | 'invalid' | 'expired';

interface Named {
  readonly name: string;
  readonly values: PlaceholderValues;
}

/**
 * Finds the namespace for which the holder of a certificate may call, from the names in the certificate. Names that match no
 * pattern are ignored; those that match must all agree. The common name is never used.
 */
export class CertificateIdentifier {
  readonly #spiffeIds: readonly NamePattern[];
  readonly #dnsNames: readonly NamePattern[];

  /** @throws {TypeError} when a pattern is invalid, or there is none */
  constructor({ spiffeIds = [], dnsNames = [] }: CertificateOptions) {
    if (spiffeIds.length + dnsNames.length === 0) {
      throw new TypeError('certificates: expected a pattern of SPIFFE IDs or of DNS names');
    }
    this.#spiffeIds = spiffeIds.map(spiffePattern);
    this.#dnsNames = dnsNames.map(dnsPattern);
  }

  /** The certificate must be trusted already. A connection may outlive it, so its dates are checked again. */
  identify(certificate: X509Certificate, now: number): CertificateFinding {
    if (now < certificate.validFromDate.getTime() || now > certificate.validToDate.getTime()) {
      return 'expired';
    }
    try {
      return this.#read(parseAlternativeNames(certificate.subjectAltName ?? ''));
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof InvalidIdentifierError) {
        return 'invalid';
      }
      throw error;
    }
  }

  #read(names: readonly AlternativeName[]): CertificateFinding {
    const uris = names.filter(({ type }) => type === 'URI');
    const dnsNames = names.filter(({ type }) => type === 'DNS');
    const spiffeIds = matching(uris, this.#spiffeIds);
    // X.509-SVID §2: "An X.509 SVID MUST contain exactly one URI SAN".
    if (spiffeIds.length > 0 && uris.length > 1) {
      return 'invalid';
    }
    const found = [...spiffeIds, ...matching(dnsNames, this.#dnsNames)];
    const claims = found.map(claimOf);
    const [first] = claims;
    const agree = claims.every(
      ({ namespaces, tenantId }) => namespaces[0] === first?.namespaces[0] && tenantId === first?.tenantId,
    );
    return first !== undefined && agree ? first : 'invalid';
  }
}

function matching(names: readonly AlternativeName[], patterns: readonly NamePattern[]): Named[] {
  return names.flatMap(({ value }) =>
    patterns.flatMap((pattern) => {
      const values = pattern.match(value);
      return values === undefined ? [] : [{ name: value, values }];
    }),
  );
}

/** @throws {InvalidIdentifierError} */
function claimOf({ name, values: { namespace = '', client, tenant } }: Named): IdentityClaim {
  return {
    method: 'certificate',
    namespaces: [parseNamespaceId(namespace)],
    clientId: client ?? name,
    ...(tenant === undefined ? {} : { tenantId: parseTenantId(tenant) }),
  };
}
