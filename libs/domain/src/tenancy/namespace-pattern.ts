import { InvalidIdentifierError } from '../errors/invalid-identifier.error.js';

declare const brand: unique symbol;
/** A glob over namespaces: `*` is any run of characters (none included), `?` is one; everything else is itself. */
export type NamespacePattern = string & { readonly [brand]: 'NamespacePattern' };

/** 1 to 63 characters; what stands for itself can occur in a namespace. */
const PATTERN = /^[a-z0-9*?]([-a-z0-9*?]{0,61}[a-z0-9*?])?$/;

/** @throws {InvalidIdentifierError} when no namespace could match, or the text is too long */
export function parseNamespacePattern(text: string): NamespacePattern {
  if (!PATTERN.test(text)) {
    throw new InvalidIdentifierError(
      'namespace pattern',
      text,
      '1 to 63 of a-z, 0-9, inner "-", "*" for any characters and "?" for one',
    );
  }
  return text.replaceAll(/\*+/g, '*') as NamespacePattern;
}
