export interface AlternativeName {
  /** `DNS`, `URI` and others. */
  readonly type: string;
  readonly value: string;
}

const MAX_LENGTH = 16_384;
const SEPARATOR = ', ';

/**
 * Parses a certificate's subject alternative names as Node writes them: entries separated by `, `, each a type, a colon and a
 * value, which is a JSON string where it could be misread otherwise. A value thus cannot pass for further entries, as it
 * could if the text were only split (CVE-2021-44532).
 *
 * @throws {SyntaxError} when the text has another form, or is very long
 */
export function parseAlternativeNames(text: string): AlternativeName[] {
  if (text.length > MAX_LENGTH) {
    throw new SyntaxError(`expected at most ${MAX_LENGTH} characters, found ${text.length}`);
  }
  const names: AlternativeName[] = [];
  for (let at = 0; at < text.length;) {
    const colon = text.indexOf(':', at);
    if (colon === -1) {
      throw new SyntaxError(`offset ${at}: expected a type and a colon`);
    }
    const { value, end } = readValue(text, colon + 1);
    names.push({ type: text.slice(at, colon), value });
    if (end < text.length && (!text.startsWith(SEPARATOR, end) || end + SEPARATOR.length === text.length)) {
      throw new SyntaxError(`offset ${end}: expected the end, or another entry`);
    }
    at = end + SEPARATOR.length;
  }
  return names;
}

function readValue(text: string, start: number): { value: string; end: number } {
  if (text[start] !== '"') {
    const separator = text.indexOf(SEPARATOR, start);
    const end = separator === -1 ? text.length : separator;
    return { value: text.slice(start, end), end };
  }
  let end = start + 1;
  while (end < text.length && text[end] !== '"') {
    end += text[end] === '\\' ? 2 : 1;
  }
  if (end >= text.length) {
    throw new SyntaxError(`offset ${start}: expected the end of a quoted value`);
  }
  end += 1;
  return { value: JSON.parse(text.slice(start, end)) as string, end };
}
