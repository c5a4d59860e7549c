import { InvalidIdentifierError, type NamespaceId, parseNamespaceId, unlessThrown } from '@palisade/domain';
import type { JWTPayload } from 'jose';
import { isDisputedEmail, isIdentityText, isReservedActor } from './actor-names.js';
import { UnauthenticatedError } from './authentication.errors.js';
import { ADMIN_SCOPES, type AdminPrincipal } from './principal.js';

/** The claims of a verified token that describe an admin. */
export interface AdminClaimNames {
  /** Namespaces as a list or as words in a text; `*` is all. */
  readonly namespacesClaim: string;
  /** Providers whose groups the admin may bind, written in the same way. */
  readonly providersClaim: string;
  /** The admin's name in audit records and `approved_by`; `sub` where the token lacks it. */
  readonly identityClaim: string;
}

/**
 * The admin that a verified token describes. A token grants only what it states: without a scope claim no scope, without a
 * namespaces claim no namespace.
 *
 * @throws {UnauthenticatedError} when the token names nobody, or uses a name that is reserved for the service itself
 */
export function adminOf(claims: JWTPayload, names: AdminClaimNames): AdminPrincipal {
  const namespaces = words(claims[names.namespacesClaim]);
  const providers = claims[names.providersClaim];
  // RFC 8693 §4.2 has `scope`; some issuers write `scp`.
  const scopes = new Set([...words(claims['scope']), ...words(claims['scp'])]);
  return {
    kind: 'admin',
    actor: identity(claims, names.identityClaim),
    scopes: ADMIN_SCOPES.filter((scope) => scopes.has(scope)),
    namespaces: namespaces.includes('*') ? '*' : namespacesAmong(namespaces),
    ...(providers !== undefined && { providers: words(providers) }),
  };
}

function identity(claims: JWTPayload, claim: string): string {
  const candidates = [isDisputedEmail(claims, claim) ? undefined : claims[claim], claims.sub];
  const actor = candidates.find((value) => typeof value === 'string' && value !== '');
  if (!isIdentityText(actor) || isReservedActor(actor)) {
    throw new UnauthenticatedError('invalid');
  }
  return actor;
}

function words(claim: unknown): string[] {
  if (typeof claim === 'string') {
    return claim.split(' ').filter((word) => word !== '');
  }
  return Array.isArray(claim) ? claim.filter((item) => typeof item === 'string') : [];
}

/** Those of the values that are namespaces; the others are ignored, since a list may serve other purposes too. */
export function namespacesAmong(values: readonly unknown[]): NamespaceId[] {
  return values
    .filter((value) => typeof value === 'string')
    .map((text) => unlessThrown(InvalidIdentifierError, () => parseNamespaceId(text)))
    .filter((namespace) => namespace !== undefined);
}
