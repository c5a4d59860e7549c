import {
  InvalidIdentifierError,
  parseNamespaceId,
  parseTenantId,
  type NamespaceId,
  type TenantId,
} from '@palisade/domain';
import type { JWTPayload } from 'jose';
import { isReservedActor } from '../../admin/reserved-actors.js';
import { UnauthenticatedError } from '../../errors/unauthenticated.error.js';
import { isDisputedEmail } from '../../jwt/disputed-email.js';
import { isIdentityText } from '../identity-text.js';
import type { IdentityClaim } from '../namespace-identity.js';

/** Which claims of a verified token say what. */
export interface TokenClaimNames {
  /** One namespace as a text, or several as a list. Default `namespace`. */
  readonly namespaceClaim?: string;
  /** The client. By default the first there is of `azp`, `client_id` and `sub`. */
  readonly clientClaim?: string;
  /** The user, if any. Default `email`, unless the issuer says that it is not verified. */
  readonly userClaim?: string;
  /** The tenant, if any. By default nothing says it. */
  readonly tenantClaim?: string;
}

const DEFAULT_CLIENT_CLAIMS = ['azp', 'client_id', 'sub'];
const MAX_NAMESPACES = 1000;

/**
 * What a verified token says of its holder. What it does not say, it does not grant.
 *
 * @throws {UnauthenticatedError} when it names no namespace, no client, or somebody in a way that no issuer may
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

/** Of a list those count that are namespaces: the list may serve other purposes too. */
function readNamespaces(claim: unknown): NamespaceId[] {
  const candidates: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const namespaces = candidates.length > MAX_NAMESPACES ? [] : [...new Set(candidates.flatMap(namespaceOrNothing))];
  if (namespaces.length === 0) {
    throw new UnauthenticatedError('invalid');
  }
  return namespaces;
}

function namespaceOrNothing(candidate: unknown): NamespaceId[] {
  try {
    return typeof candidate === 'string' ? [parseNamespaceId(candidate)] : [];
  } catch (error) {
    if (error instanceof InvalidIdentifierError) {
      return [];
    }
    throw error;
  }
}

function readName(claim: unknown): string {
  if (!isIdentityText(claim) || isReservedActor(claim)) {
    throw new UnauthenticatedError('invalid');
  }
  return claim;
}

function readTenant(claim: unknown): TenantId {
  try {
    return parseTenantId(typeof claim === 'string' ? claim : '');
  } catch (error) {
    if (error instanceof InvalidIdentifierError) {
      throw new UnauthenticatedError('invalid', { cause: error });
    }
    throw error;
  }
}
