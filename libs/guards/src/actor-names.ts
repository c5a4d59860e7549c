import type { JWTPayload } from 'jose';

/** How audit records name the holder of SVC_ADMIN_TOKEN. */
export const STATIC_ADMIN_ACTOR = 'admin';
/** How audit records name what a service does because its environment says so. */
export const CONFIGURATION_ACTOR = 'configuration';

/** The two above, library calls without an actor, and callers who could not be identified. */
const RESERVED_NAMES = new Set([STATIC_ADMIN_ACTOR, CONFIGURATION_ACTOR, 'programmatic', 'anonymous']);
/** They name tokens, OAuth clients, provisioners of trusted issuers, users, API keys, and proxies. */
const RESERVED_PREFIXES = ['token:', 'client:', 'federated:', 'user:', 'api-key:', 'proxy:'];

/** Whether an external issuer must not use the name, because audit records use it, or one like it, for the service's own. */
export function isReservedActor(name: string): boolean {
  const folded = name.normalize('NFKC').trim().toLowerCase();
  return RESERVED_NAMES.has(folded) || RESERVED_PREFIXES.some((prefix) => folded.startsWith(prefix));
}

/**
 * Whether the claim is an e-mail address that the issuer calls unverified, so that anybody may have entered it (OpenID
 * Connect Core §5.1). Some issuers write `email_verified` as a string. An issuer that omits the claim vouches for its addresses.
 */
export function isDisputedEmail(claims: JWTPayload, claim: string | undefined): boolean {
  const { email_verified: verified } = claims;
  return claim === 'email' && verified !== undefined && verified !== true && verified !== 'true';
}

/** Whether a text can name somebody in records and sessions: of bounded length, without control characters. */
export function isIdentityText(text: unknown, maxLength = 255): text is string {
  return (
    typeof text === 'string' &&
    text.length >= 1 &&
    text.length <= maxLength &&
    text.isWellFormed() &&
    !/\p{Cc}/u.test(text)
  );
}
