/**
 * The form in which strings that are not caseExact are compared: two texts that differ only in case, or in how accents
 * are composed, fold to the same one. No locale is involved.
 */
export function foldCase(text: string): string {
  // toLowerCase() writes Σ at the end of a word as ς, so a prefix would fold differently from the word that it begins.
  return text.toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
