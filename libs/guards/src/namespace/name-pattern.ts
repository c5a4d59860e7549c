const PLACEHOLDERS = ['namespace', 'client', 'tenant'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
export type PlaceholderValues = Readonly<Partial<Record<Placeholder, string>>>;

/** A part that must match literally, may be anything, or is taken as a value. */
type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'value'; readonly placeholder: Placeholder };

const SPIFFE_SCHEME = 'spiffe://';
/** SPIFFE-ID §2.3: "SPIFFE IDs […] MUST NOT exceed" it. */
const MAX_SPIFFE_ID_LENGTH = 2048;
const MAX_DNS_NAME_LENGTH = 253;

/** Recognises names and takes values out of them. */
export interface NamePattern {
  /** Undefined when the name is of another form. */
  match(name: string): PlaceholderValues | undefined;
}

/**
 * A pattern of SPIFFE IDs, such as `spiffe://prod.example.com/ns/{namespace}/sa/{client}`: a literal trust domain, and
 * segments that are each literal, a placeholder (`{namespace}`, optionally `{client}`, `{tenant}`), or `*` for any.
 *
 * @throws {TypeError} when the pattern is invalid
 */
export function spiffePattern(pattern: string): NamePattern {
  const [trustDomain = '', ...segments] = splitSpiffeId(pattern, isPatternPart) ?? [];
  if (!isTrustDomain(trustDomain)) {
    throw new TypeError(`${pattern}: expected spiffe://<trust domain>/<segments>`);
  }
  const parts = segments.map(readPart);
  requireNamespace(pattern, parts);
  return {
    match: (name) => {
      const [domain, ...actual] = splitSpiffeId(name, isSpiffeSegment) ?? [];
      return domain === trustDomain ? matchParts(parts, actual) : undefined;
    },
  };
}

/**
 * A pattern of DNS names, such as `{namespace}.clients.example.com`: the last two labels are literal, the others as in
 * {@link spiffePattern}.
 *
 * @throws {TypeError} when the pattern is invalid
 */
export function dnsPattern(pattern: string): NamePattern {
  const parts = pattern.split('.').map(readPart);
  const labels = pattern.split('.');
  if (pattern.length > MAX_DNS_NAME_LENGTH || !labels.every((label) => isDnsLabel(label) || isPatternPart(label))) {
    throw new TypeError(`${pattern}: expected a DNS name in lower case with placeholders`);
  }
  if (parts.length < 3 || parts.slice(-2).some(({ kind }) => kind !== 'literal')) {
    throw new TypeError(`${pattern}: expected a domain of at least two labels at the end`);
  }
  requireNamespace(pattern, parts);
  return {
    match: (name) => {
      const actual = name.toLowerCase().split('.');
      return name.length <= MAX_DNS_NAME_LENGTH && actual.every(isDnsLabel) ? matchParts(parts, actual) : undefined;
    },
  };
}

function matchParts(parts: readonly Part[], actual: readonly string[]): PlaceholderValues | undefined {
  if (parts.length !== actual.length) {
    return undefined;
  }
  const values: Partial<Record<Placeholder, string>> = {};
  for (const [index, part] of parts.entries()) {
    const text = actual[index] ?? '';
    if (part.kind === 'literal' && part.text !== text) {
      return undefined;
    }
    if (part.kind === 'value') {
      values[part.placeholder] = text;
    }
  }
  return values;
}

function readPart(text: string): Part {
  const placeholder = PLACEHOLDERS.find((name) => text === `{${name}}`);
  if (placeholder !== undefined) {
    return { kind: 'value', placeholder };
  }
  return text === '*' ? { kind: 'any' } : { kind: 'literal', text };
}

function requireNamespace(pattern: string, parts: readonly Part[]): void {
  const used = parts.flatMap((part) => (part.kind === 'value' ? [part.placeholder] : []));
  if (!used.includes('namespace') || new Set(used).size < used.length) {
    throw new TypeError(`${pattern}: expected {namespace}, and each placeholder once`);
  }
}

/** Trust domain and segments; undefined when the text is not a SPIFFE ID. */
function splitSpiffeId(text: string, isSegment: (segment: string) => boolean): string[] | undefined {
  if (text.length > MAX_SPIFFE_ID_LENGTH || !text.startsWith(SPIFFE_SCHEME)) {
    return undefined;
  }
  const [trustDomain = '', ...segments] = text.slice(SPIFFE_SCHEME.length).split('/');
  return isTrustDomain(trustDomain) && segments.every(isSegment) ? [trustDomain, ...segments] : undefined;
}

/** SPIFFE-ID §2.1: lower-case letters, digits, dots, dashes and underscores; no port, no user. */
function isTrustDomain(text: string): boolean {
  return /^[a-z0-9._-]{1,255}$/.test(text);
}

/** SPIFFE-ID §2.2: letters, digits, dots, dashes and underscores, and neither `.` nor `..`; no percent-encoding. */
function isSpiffeSegment(text: string): boolean {
  return /^[a-zA-Z0-9._-]+$/.test(text) && text !== '.' && text !== '..';
}

function isPatternPart(text: string): boolean {
  return isSpiffeSegment(text) || readPart(text).kind !== 'literal';
}

function isDnsLabel(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text);
}
