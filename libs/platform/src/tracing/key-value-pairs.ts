const MAX_PAIRS = 64;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The SDK leaves out all attributes when one of them is longer. */
const MAX_ATTRIBUTE_LENGTH = 255;

/**
 * `name=value` pairs with commas between, values percent-encoded; only the first `=` divides. Undefined when something
 * is no header, or there are more than 64.
 */
export function parseHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = splitPairs(text);
  const areHeaders = pairs?.every(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value));
  return pairs !== undefined && areHeaders ? Object.fromEntries(pairs) : undefined;
}

/** The same with names percent-encoded too, and each `=` of a value. */
export function parseResourceAttributes(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(',').every((pair) => pair.split('=').length <= 2) ? splitPairs(text) : undefined;
  const areShort = pairs?.flat().every((part) => part.length <= MAX_ATTRIBUTE_LENGTH);
  return pairs !== undefined && areShort ? Object.fromEntries(pairs) : undefined;
}

/** Undefined when one has no name or is not encoded as it should be. */
function splitPairs(text: string): [string, string][] | undefined {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  const split = pairs.map((pair): [string, string] => {
    const end = pair.indexOf('=');
    return end === -1 ? ['', ''] : [decode(pair.slice(0, end)), decode(pair.slice(end + 1))];
  });
  return split.length <= MAX_PAIRS && split.every(([name]) => name !== '') ? split : undefined;
}

/** @throws {URIError} */
function decode(part: string): string {
  return decodeURIComponent(part.trim());
}
