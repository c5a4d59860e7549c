/** Where a store is, according to its URL. */
export type StoreLocation =
  | { readonly kind: 'memory' }
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'embedded'; readonly directory: string };

const MAX_LENGTH = 4096;

/**
 * Reads the URL of a store: `memory:`, `postgres://user:password@host:port/database` or `embedded:<directory>`.
 *
 * @throws {SyntaxError} for any other URL; the message never repeats the URL, since it may hold a password
 */
export function parseStoreUrl(url: string): StoreLocation {
  if (url.length > MAX_LENGTH || /\p{Cc}/u.test(url)) {
    throw invalid(`at most ${MAX_LENGTH} characters and no control characters`);
  }
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? [];
  switch (scheme.toLowerCase()) {
    case 'memory':
      return parseMemoryUrl(rest);
    case 'postgres':
    case 'postgresql':
      return parsePostgresUrl(url);
    case 'embedded':
      return parseEmbeddedUrl(rest);
    default:
      throw invalid(
        'memory:, postgres://… or embedded:<directory>, ' +
          `found ${scheme === '' ? 'no scheme' : `the scheme "${scheme.slice(0, 40)}:"`}`,
      );
  }
}

function parseMemoryUrl(rest: string): StoreLocation {
  if (rest !== '') {
    throw invalid('nothing behind "memory:"');
  }
  return { kind: 'memory' };
}

function parsePostgresUrl(url: string): StoreLocation {
  if (!/^postgres(ql)?:\/\/\S*$/i.test(url) || !URL.canParse(url) || !hasWholeEscapes(url)) {
    throw invalid(
      'postgres://user:password@host:port/database; ' +
        'characters such as "/", "@", "#" and "%" in user or password must be percent-encoded',
    );
  }
  return { kind: 'postgres', url };
}

/** The driver decodes when it connects: bytes that are not UTF-8 fail there, and a malformed escape garbles the others. */
function hasWholeEscapes(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch (error) {
    if (error instanceof URIError) {
      return false;
    }
    throw error;
  }
}

function parseEmbeddedUrl(directory: string): StoreLocation {
  if (directory.trim() === '') {
    throw invalid('a directory behind "embedded:"');
  }
  return { kind: 'embedded', directory };
}

function invalid(expected: string): SyntaxError {
  return new SyntaxError(`store URL: expected ${expected}`);
}
