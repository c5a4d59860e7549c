/** A static admin token as the configuration gives it. */
export interface AdminTokenDigest {
  /** How audit records and approvals name whoever uses the token. */
  readonly name: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
}

const MAX_NAME_LENGTH = 100;

/**
 * Reads `name:sha256hex` pairs separated by commas, e.g. `alice@example.com:9f86d0…`.
 *
 * @throws {SyntaxError} naming the position of the pair that is wrong, never its digest
 */
export function parseAdminTokenDigests(text: string): AdminTokenDigest[] {
  return text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair, index) => {
      const separator = pair.lastIndexOf(':');
      const name = pair.slice(0, Math.max(separator, 0));
      const digest = pair.slice(separator + 1).toLowerCase();
      if (!isName(name) || !/^[0-9a-f]{64}$/.test(digest)) {
        throw new SyntaxError(`pair ${index + 1}: expected <name>:<64 hexadecimal digits of the token's SHA-256>`);
      }
      return { name, digest };
    });
}

function isName(name: string): boolean {
  return name.length >= 1 && name.length <= MAX_NAME_LENGTH && /^[\x21-\x7e]+$/.test(name);
}
