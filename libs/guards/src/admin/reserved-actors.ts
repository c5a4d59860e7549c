/** How audit records name the holder of SVC_ADMIN_TOKEN. */
export const STATIC_ADMIN_ACTOR = 'admin';
/** How audit records name what a service does because its environment says so. */
export const CONFIGURATION_ACTOR = 'configuration';

/** The two above, calls of the library without an actor, and callers who could not be identified. */
const RESERVED_NAMES = new Set([STATIC_ADMIN_ACTOR, CONFIGURATION_ACTOR, 'programmatic', 'anonymous']);
/** Tokens, OAuth clients, provisioners of trusted issuers, users, and API keys. */
const RESERVED_PREFIXES = ['token:', 'client:', 'federated:', 'user:', 'api-key:'];

/** Whether audit records use the name for somebody whom no external issuer names, or it could be read as one of those. */
export function isReservedActor(name: string): boolean {
  const folded = name.normalize('NFKC').trim().toLowerCase();
  return RESERVED_NAMES.has(folded) || RESERVED_PREFIXES.some((prefix) => folded.startsWith(prefix));
}
