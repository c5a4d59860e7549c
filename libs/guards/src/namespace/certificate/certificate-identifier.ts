import type { X509Certificate } from 'node:crypto';
import { InvalidIdentifierError, parseNamespaceId, parseTenantId } from '@palisade/domain';
import type { IdentityClaim } from '../namespace-identity.js';
import { dnsPattern, spiffePattern, type NamePattern, type PlaceholderValues } from './name-pattern.js';
import { parseAlternativeNames, type AlternativeName } from './subject-alternative-names.js';

export interface CertificateOptions {
  /** Of SPIFFE IDs; see {@link spiffePattern}. A certificate that has one may have no other URI. */
  readonly spiffeIds?: readonly string[];
  /** Of DNS names; see {@link dnsPattern}. */
  readonly dnsNames?: readonly string[];
}

/** What a certificate says, or why it says nothing. */
export type CertificateFinding = IdentityClaim | 'invalid' | 'expired';

interface Named {
  readonly name: string;
  readonly values: PlaceholderValues;
}

/**
 * Tells from the names in a certificate for which namespace its holder may call. Names that match no pattern say nothing;
 * those that match must all say the same. The common name is never looked at.
 */
export class CertificateIdentifier {
  readonly #spiffeIds: readonly NamePattern[];
  readonly #dnsNames: readonly NamePattern[];

  /** @throws {TypeError} when a pattern is none, or there is none */
  constructor({ spiffeIds = [], dnsNames = [] }: CertificateOptions) {
    if (spiffeIds.length + dnsNames.length === 0) {
      throw new TypeError('certificates: expected a pattern of SPIFFE IDs or of DNS names');
    }
    this.#spiffeIds = spiffeIds.map(spiffePattern);
    this.#dnsNames = dnsNames.map(dnsPattern);
  }

  /** The certificate must be trusted already. A connection may outlive it, so its dates are looked at again. */
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
