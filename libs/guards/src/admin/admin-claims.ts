import { parseNamespaceId, InvalidIdentifierError, type NamespaceId } from '@palisade/domain';
import type { JWTPayload } from 'jose';
import { UnauthenticatedError } from '../errors/unauthenticated.error.js';
import { isDisputedEmail } from '../jwt/disputed-email.js';
import { ADMIN_SCOPES, type AdminPrincipal } from '../principal.js';
import { isReservedActor } from './reserved-actors.js';

/** Which claims of a verified token say what. */
export interface AdminClaimNames {
  /** Namespaces as a list or as words in a text; `*` is all. */
  readonly namespacesClaim: string;
  /** Who it is, for audit records and `approved_by`; `sub` where the token lacks it. */
  readonly identityClaim: string;
}

const MAX_ACTOR_LENGTH = 255;

/**
 * The admin that a verified token describes. What it does not say, it does not grant: no scope claim, no scope;
 * no namespaces claim, no namespaces.
 *
 * @throws {UnauthenticatedError} when it names nobody, or somebody whom only the service itself may name
 */
export function adminOf(claims: JWTPayload, names: AdminClaimNames): AdminPrincipal {
  const namespaces = words(claims[names.namespacesClaim]);
  // RFC 8693 §4.2 has `scope`; some issuers write `scp`.
  const scopes = new Set([...words(claims['scope']), ...words(claims['scp'])]);
  return {
    kind: 'admin',
    actor: identity(claims, names.identityClaim),
    scopes: ADMIN_SCOPES.filter((scope) => scopes.has(scope)),
    namespaces: namespaces.includes('*') ? '*' : namespaces.flatMap(namespaceOrNothing),
  };
}

function identity(claims: JWTPayload, claim: string): string {
  const candidates = [isDisputedEmail(claims, claim) ? undefined : claims[claim], claims.sub];
  const actor = candidates.find((value) => typeof value === 'string' && value !== '');
  if (typeof actor !== 'string' || !isActor(actor) || isReservedActor(actor)) {
    throw new UnauthenticatedError('invalid');
  }
  return actor;
}

function isActor(name: string): boolean {
  return name.length <= MAX_ACTOR_LENGTH && !/\p{Cc}/u.test(name) && name.isWellFormed();
}

function words(claim: unknown): string[] {
  if (typeof claim === 'string') {
    return claim.split(' ').filter((word) => word !== '');
  }
  return Array.isArray(claim) ? claim.filter((item) => typeof item === 'string') : [];
}

function namespaceOrNothing(text: string): NamespaceId[] {
  try {
    return [parseNamespaceId(text)];
  } catch (error) {
    if (error instanceof InvalidIdentifierError) {
      return [];
    }
    throw error;
  }
}
