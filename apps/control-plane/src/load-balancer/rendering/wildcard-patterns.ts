import { comparePatterns, literalPrefix, type NamespacePattern } from '@palisade/domain';
import type { DesiredState, Destination } from '../../routing/table/desired-state.js';
import { printPattern } from './printed-values.js';

export interface WildcardPattern {
  readonly pattern: NamespacePattern;
  readonly literalPrefix: string;
  readonly destination: Destination;
}

/**
 * In the order of precedence: the first one that matches a namespace has it, unless an exact name or a prefix that is
 * longer than its literal prefix has.
 */
export function orderWildcards(wildcards: DesiredState['wildcards']): WildcardPattern[] {
  return [...wildcards]
    .sort(([a], [b]) => comparePatterns(a, b))
    .map(([pattern, destination]) => ({ pattern, literalPrefix: literalPrefix(pattern), destination }));
}

/**
 * The prefixes for whose namespaces some wildcard may have precedence. Prefix and wildcard that match one namespace begin
 * alike, so that is one whose literal prefix begins with the prefix; of equally long ones the wildcard comes first, as it
 * says something about the characters that follow. The namespaces of all other prefixes need not be compared with wildcards.
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
 * The pattern as a Perl-compatible regular expression. What stands between two stars is taken where it is found first, and
 * an atomic group keeps it there: more tries could not succeed where this one fails, and their number would grow with
 * every star.
 *
 * @throws {RejectedStateError} when it is no pattern
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
