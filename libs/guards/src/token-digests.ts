import { InvalidIdentifierError, parsePoolName, unlessThrown, type PoolName } from '@palisade/domain';
import { ADMIN_SCOPES, type AdminScope } from './principal.js';

/** A static token as the configuration gives it. */
export interface TokenDigest {
  /** How audit records and approvals name whoever uses the token. */
  readonly name: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
}

export interface AdminTokenDigest extends TokenDigest {
  /** What the holder may do, in every namespace. */
  readonly scope: AdminScope;
}

/** The credential of the proxies of one pool. */
export interface ProxyTokenDigest extends TokenDigest {
  readonly pool: PoolName;
  /** What the ids of the proxies begin with; empty for any. */
  readonly idPrefix: string;
}

const MAX_NAME_LENGTH = 100;
const MAX_PREFIX_LENGTH = 100;

/**
 * Reads `name:sha256hex:scope` entries separated by commas, e.g. `alice@example.com:9f86d0…:operate`.
 *
 * @throws {SyntaxError} naming the position of the entry that is wrong, never its digest
 */
export function parseAdminTokenDigests(text: string): AdminTokenDigest[] {
  return readEntries(text, ADMIN_SCOPES.join('|'), (token, rest) => {
    const scope = ADMIN_SCOPES.find((each) => each === rest);
    return scope && { ...token, scope };
  });
}

/**
 * Reads `name:sha256hex:pool` or `name:sha256hex:pool/id-prefix` entries separated by commas, e.g.
 * `eu:9f86d0…:standard/eu-`.
 *
 * @throws {SyntaxError} naming the position of the entry that is wrong, never its digest
 */
export function parseProxyTokenDigests(text: string): ProxyTokenDigest[] {
  return readEntries(text, '<pool>[/<id prefix>]', (token, rest) => {
    const [, name = '', idPrefix = ''] = /^([^/]*)(?:\/(.*))?$/.exec(rest) ?? [];
    const pool = unlessThrown(InvalidIdentifierError, () => parsePoolName(name));
    return pool && isIdPrefix(idPrefix) ? { ...token, pool, idPrefix } : undefined;
  });
}

/** Whether ids of proxies can begin with it. */
export function isIdPrefix(text: string): boolean {
  return /^[a-z0-9.-]*$/.test(text) && text.length <= MAX_PREFIX_LENGTH;
}

function readEntries<T>(
  text: string,
  lastPart: string,
  read: (token: TokenDigest, rest: string) => T | undefined,
): T[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry, index) => {
      // The name may hold colons itself.
      const [, name = '', digest = '', rest = ''] = /^([\x21-\x7e]+):([0-9a-f]{64}):([^:]*)$/i.exec(entry) ?? [];
      const isName = name.length >= 1 && name.length <= MAX_NAME_LENGTH;
      const value = isName ? read({ name, digest: digest.toLowerCase() }, rest) : undefined;
      if (value === undefined) {
        throw new SyntaxError(
          `entry ${index + 1}: expected <name>:<64 hexadecimal digits of the token's SHA-256>:${lastPart}`,
        );
      }
      return value;
    });
}
