import { createHash, type X509Certificate } from 'node:crypto';
import { InvalidIdentifierError, type NamespaceId, parseTenantId, type TenantId, unlessThrown } from '@palisade/domain';
import type { JWTPayload } from 'jose';
import { isDisputedEmail, isIdentityText, isReservedActor } from '../actor-names.js';
import { UnauthenticatedError } from '../authentication.errors.js';
import { isJwt, type JwtRequirements, type JwtVerifier } from '../jwt-verifier.js';
import type { IdentityClaim } from './namespace-identity.js';
import { namespacesAmong } from '../admin-claims.js';

/** The claims of a verified token that describe its holder. */
export interface TokenClaimNames {
  /** One namespace as a text, or several as a list. Default `namespace`. */
  readonly namespaceClaim?: string;
  /** The client. By default the first present of `azp`, `client_id` and `sub`. */
  readonly clientClaim?: string;
  /** The user, if any. Default `email`, unless the issuer says that it is not verified. */
  readonly userClaim?: string;
  /** The tenant, if any. By default no claim is read. */
  readonly tenantClaim?: string;
}

const DEFAULT_CLIENT_CLAIMS = ['azp', 'client_id', 'sub'];
const MAX_NAMESPACES = 1000;

/**
 * The identity of a verified token's holder. A token grants only what it states.
 *
 * @throws {UnauthenticatedError} when it names no namespace or no client, or uses a reserved name
 */
export function claimOfToken(claims: JWTPayload, names: TokenClaimNames): IdentityClaim {
  const { namespaceClaim = 'namespace', clientClaim, userClaim = 'email', tenantClaim } = names;
  const clientClaims = clientClaim === undefined ? DEFAULT_CLIENT_CLAIMS : [clientClaim];
  const clientId = clientClaims.map((name) => claims[name]).find((value) => value !== undefined);
  const userId = isDisputedEmail(claims, userClaim) ? undefined : claims[userClaim];
  const tenant = tenantClaim === undefined ? undefined : claims[tenantClaim];
  return {
    method: 'jwt',
    namespaces: readNamespaces(claims[namespaceClaim]),
    clientId: readName(clientId),
    ...(userId === undefined ? {} : { userId: readName(userId) }),
    ...(tenant === undefined ? {} : { tenantId: readTenant(tenant) }),
  };
}

function readNamespaces(claim: unknown): NamespaceId[] {
  const candidates: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const namespaces = candidates.length > MAX_NAMESPACES ? [] : [...new Set(namespacesAmong(candidates))];
  if (namespaces.length === 0) {
    throw new UnauthenticatedError('invalid');
  }
  return namespaces;
}

function readName(claim: unknown): string {
  if (!isIdentityText(claim) || isReservedActor(claim)) {
    throw new UnauthenticatedError('invalid');
  }
  return claim;
}

function readTenant(claim: unknown): TenantId {
  const tenant = unlessThrown(InvalidIdentifierError, () => parseTenantId(typeof claim === 'string' ? claim : ''));
  if (tenant === undefined) {
    throw new UnauthenticatedError('invalid');
  }
  return tenant;
}

/** RFC 8705 §3.1: the confirmation method that binds a token to a certificate. */
const CERTIFICATE_THUMBPRINT = 'x5t#S256';

/**
 * Whether the presenter of a token may use it: anybody may, unless the token is bound to a key (RFC 7800 `cnf`). A token
 * bound to a certificate may be used by the holder of that certificate; one bound in any other way by nobody.
 */
export function isHolderOf({ cnf }: JWTPayload, certificate: X509Certificate | undefined): boolean {
  if (cnf === undefined) {
    return true;
  }
  const bindings = typeof cnf === 'object' && cnf !== null ? Object.entries(cnf) : [];
  const [binding] = bindings;
  if (binding === undefined || bindings.length > 1 || binding[0] !== CERTIFICATE_THUMBPRINT) {
    return false;
  }
  return certificate !== undefined && binding[1] === thumbprintOf(certificate);
}

function thumbprintOf(certificate: X509Certificate): string {
  return createHash('sha256').update(certificate.raw).digest('base64url');
}

/** The issuer whose tokens are accepted, and the names of their claims. */
export interface TokenOptions extends Omit<JwtRequirements, 'subject'>, TokenClaimNames {}

/** Finds the namespaces for which the holder of a token may call. */
export class TokenIdentifier {
  constructor(
    private readonly options: TokenOptions,
    private readonly verifier: JwtVerifier,
  ) {}

  /**
   * @param certificate the one that the client has proved to hold, for tokens that are bound to it
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
