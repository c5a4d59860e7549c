/** Full-width and half-width forms, and the ideographic space. */
const WIDTH_VARIANT = /[\u3000\uff01-\uffee]/g;

/**
 * The form in which strings that are not caseExact are compared: two texts that differ only in case, in the width of
 * characters, or in how accents are composed, fold to the same one. No locale is involved. These are the mappings of
 * PRECIS UsernameCaseMapped (RFC 8265 §3.3.1), which RFC 7644 §5 demands for `userName`.
 */
export function foldCase(text: string): string {
  return foldLetters(text.replaceAll(WIDTH_VARIANT, (variant) => variant.normalize('NFKC')));
}

/**
 * The same without mapping the width of characters, for texts that name a person: whoever may register the full-width form of
 * somebody's e-mail address elsewhere must not become that person here.
 */
export function foldLetters(text: string): string {
  // toLowerCase() writes Σ at the end of a word as ς, so a prefix would fold differently from the word that it begins.
  return text.toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
