import type { TenantNamespace } from '../../tenant-namespace.js';
import { InvalidNameError } from '../backend.errors.js';
import type { NameTemplate } from '../name-template.js';

export const DEFAULT_KEY_FORMAT = 'tenant:{tenant_id}:{namespace}:{key}';

/** The length of a key or channel as the caller names it, in UTF-8. */
export const MAX_NAME_BYTES = 1024;

/** A pattern's stars multiply the server's work. */
export const MAX_PATTERN_STARS = 5;
const MAX_PATTERN_BYTES = 256;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The keys and channels of one namespace. Whatever a caller names is in it. */
export class KeySpace {
  readonly #prefix: string;
  readonly #prefixBytes: Buffer;
  /**
   * A pattern for the channels of all namespaces of the tenant. A server that restricts a user to it lets that user subscribe to
   * this pattern to the letter, and to none that matches less.
   */
  readonly tenantPattern: string;

  constructor(template: NameTemplate, owner: TenantNamespace) {
    this.#prefix = template.prefix(owner);
    this.#prefixBytes = Buffer.from(this.#prefix);
    this.tenantPattern = `${escapeGlob(template.tenantPrefix(owner.tenantId))}*`;
  }

  /**
   * What the server calls a key or a channel. A name may hold any characters: lengths are sent, so none of them means
   * anything to the protocol.
   *
   * @throws {InvalidNameError} when it is empty, longer than 1,024 bytes, or has half a surrogate pair (which would become
   * another character, so that two names were one)
   */
  apply(name: string, kind: 'key' | 'channel' = 'key'): string {
    requireText(kind, name, MAX_NAME_BYTES);
    return `${this.#prefix}${name}`;
  }

  /** What the namespace calls it; undefined when it is another namespace's, or none that a caller could name. */
  strip(serverName: Buffer): string | undefined {
    const prefix = this.#prefixBytes;
    if (serverName.length <= prefix.length || prefix.compare(serverName, 0, prefix.length) !== 0) {
      return undefined;
    }
    try {
      return UTF8.decode(serverName.subarray(prefix.length));
    } catch {
      return undefined;
    }
  }

  /**
   * A glob pattern of the server that matches only within the namespace.
   *
   * @throws {InvalidNameError} when the pattern is longer than 256 bytes, or has more than five `*`
   */
  pattern(pattern = '*'): string {
    requireText('pattern', pattern, MAX_PATTERN_BYTES);
    const compact = pattern.replaceAll(/\*{2,}/g, '*');
    if (compact.split('*').length - 1 > MAX_PATTERN_STARS) {
      throw new InvalidNameError('Redis pattern', pattern, `at most ${MAX_PATTERN_STARS} "*"`);
    }
    return `${escapeGlob(this.#prefix)}${compact}`;
  }
}

/** A glob pattern that matches the text and nothing else. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/[*?[\]\\]/g, String.raw`\$&`);
}

function requireText(kind: string, text: unknown, maxBytes: number): void {
  if (typeof text !== 'string') {
    throw new InvalidNameError(`Redis ${kind}`, typeof text, 'a text');
  }
  if (text === '' || text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
    throw new InvalidNameError(`Redis ${kind}`, text, `1 to ${maxBytes} bytes`);
  }
  if (!text.isWellFormed()) {
    throw new InvalidNameError(`Redis ${kind}`, text, 'no half of a surrogate pair');
  }
}
