import { comparePatterns, literalPrefix, type NamespacePattern } from '@palisade/domain';
import type { DesiredState, Destination } from '../../routing/table/desired-state.js';
import { printPattern } from './printed-values.js';

export interface WildcardPattern {
  readonly pattern: NamespacePattern;
  readonly literalPrefix: string;
  readonly destination: Destination;
}

/**
 * In order of precedence: a namespace belongs to the first wildcard that matches it, unless it has an exact name or matches
 * a prefix that is longer than the wildcard's literal prefix.
 */
export function orderWildcards(wildcards: DesiredState['wildcards']): WildcardPattern[] {
  return [...wildcards]
    .sort(([a], [b]) => comparePatterns(a, b))
    .map(([pattern, destination]) => ({ pattern, literalPrefix: literalPrefix(pattern), destination }));
}

/**
 * The prefixes for whose namespaces a wildcard may have precedence. A prefix and a wildcard that match the same namespace
 * start alike, so these are the wildcards whose literal prefix starts with the prefix; when both are equally long the
 * wildcard comes first, as it constrains the characters that follow. The namespaces of all other prefixes need not be
 * compared with wildcards.
 */
export function contestedPrefixes(wildcards: readonly WildcardPattern[]): ReadonlySet<string> {
  const contested = new Set<string>();
  for (const { literalPrefix } of wildcards) {
    for (let length = 0; length <= literalPrefix.length; length += 1) {
      contested.add(literalPrefix.slice(0, length));
    }
  }
  return contested;
}

/**
 * The pattern as a Perl-compatible regular expression. Text between two stars matches at its first occurrence, and an atomic
 * group keeps it there: later occurrences could not succeed where the first fails, and the number of attempts would grow
 * with every star.
 *
 * @throws {RejectedStateError} when it is not a pattern
 */
export function toPerlRegex(pattern: NamespacePattern): string {
  const [head = '', ...rest] = printPattern(pattern).replaceAll('?', '.').split('*');
  const tail = rest.pop();
  if (tail === undefined) {
    return `^${head}$`;
  }
  const middle = rest.filter((part) => part !== '').map((part) => `(?>.*?${part})`);
  return `^${head}${middle.join('')}${tail === '' ? '' : `.*${tail}$`}`;
}
