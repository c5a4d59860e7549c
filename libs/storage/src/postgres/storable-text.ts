/**
 * Whether PostgreSQL can hold a text as it is: it has no U+0000, and the driver turns lone surrogates into U+FFFD. No
 * stored text is equal to one that it cannot hold.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
