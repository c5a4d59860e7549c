import {
  InvalidIdentifierError,
  type NamespaceId,
  parseNamespaceId,
  parsePoolName,
  unlessThrown,
} from '@palisade/domain';
import type { JWTPayload } from 'jose';
import { isDisputedEmail, isIdentityText, isReservedActor } from './actor-names.js';
import { UnauthenticatedError } from './authentication.errors.js';
import { ADMIN_SCOPES, type AdminPrincipal, type ProxyPrincipal } from './principal.js';
import { isIdPrefix } from './token-digests.js';

/** The claims of a verified token that describe an admin. */
export interface AdminClaimNames {
  /** Namespaces as a list or as words in a text; `*` is all. */
  readonly namespacesClaim: string;
  /** Providers whose groups the admin may bind, written in the same way; absent in a service without providers. */
  readonly providersClaim?: string;
  /** The admin's name in audit records and `approved_by`; `sub` where the token lacks it. */
  readonly identityClaim: string;
}

/** The claims of a verified token that bind a proxy. */
export interface ProxyClaimNames {
  /** The pool that its proxies register in. */
  readonly poolClaim: string;
  /** What the ids of its proxies begin with; an empty text for any. */
  readonly idPrefixClaim: string;
}

/** A token with this scope is a proxy's, whatever else it states. */
const PROXY_SCOPE = 'proxy';

export function isOfProxy(claims: JWTPayload): boolean {
  return scopesOf(claims).has(PROXY_SCOPE);
}

/**
 * The proxy that a verified token describes.
 *
 * @throws {UnauthenticatedError} when the token does not state a name (`sub`), the pool and the beginning of the ids
 */
export function proxyOf({ sub, ...claims }: JWTPayload, names: ProxyClaimNames): ProxyPrincipal {
  const { [names.poolClaim]: poolName, [names.idPrefixClaim]: idPrefix } = claims;
  const pool =
    typeof poolName === 'string' ? unlessThrown(InvalidIdentifierError, () => parsePoolName(poolName)) : undefined;
  if (!isIdentityText(sub) || pool === undefined || typeof idPrefix !== 'string' || !isIdPrefix(idPrefix)) {
    throw new UnauthenticatedError('invalid');
  }
  return { kind: 'proxy', actor: `proxy:jwt:${sub}`, pool, idPrefix };
}

// RFC 8693 §4.2 has `scope`; some issuers write `scp`.
function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<string> {
  return new Set([...words(scope), ...words(scp)]);
}

/**
 * The admin that a verified token describes. A token grants only what it states: without a scope claim no scope, without a
 * namespaces claim no namespace.
 *
 * @throws {UnauthenticatedError} when the token names nobody, or uses a name that is reserved for the service itself
 */
export function adminOf(claims: JWTPayload, names: AdminClaimNames): AdminPrincipal {
  const namespaces = words(claims[names.namespacesClaim]);
  const providers = names.providersClaim === undefined ? undefined : claims[names.providersClaim];
  const scopes = scopesOf(claims);
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
