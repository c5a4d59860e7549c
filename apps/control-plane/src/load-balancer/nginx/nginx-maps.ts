import type { Destination } from '../../routing/table/desired-state.js';
import { RejectedStateError } from '../load-balancer.errors.js';
import { sortInSlices, inSlices } from '../rendering/slices.js';
import { printNamespace, printPool, printPrefix } from '../rendering/printed-values.js';
import { orderWildcards, toPerlRegex } from '../rendering/wildcard-patterns.js';
import type { ResolvedState } from '../rendering/resolved-state.js';

/** Valid namespaces that are keywords of `map`. */
const SPECIAL = new Set(['default', 'hostnames', 'include', 'volatile']);

/**
 * The `map` blocks that lead from `$palisade_ns` to `$palisade_pool`. Names are looked up in one table, prefixes in one table
 * per length, by that many first characters of the namespace; wildcards are tried one by one. `$palisade_pool` is the first
 * result that is not empty: that of names; then, from the longest literal prefix to the shortest, of wildcards before
 * prefixes; then the fallback.
 *
 * @throws {RejectedStateError} when something in the state cannot be written
 */
export async function nginxMaps(state: ResolvedState): Promise<string[]> {
  const prefixes = Map.groupBy(state.prefixes, ([prefix]) => prefix.length);
  const wildcards = Map.groupBy(orderWildcards(state.wildcards), ({ literalPrefix }) => literalPrefix.length);
  const lengths = [...new Set([...prefixes.keys(), ...wildcards.keys()])].sort((a, b) => b - a);
  const tables = lengths.flatMap((length) => [
    ...block('$palisade_ns', `$palisade_wild_${length}`, wildcardLines(wildcards.get(length) ?? [])),
    ...prefixTables(length, prefixes.get(length) ?? []),
  ]);
  const candidates = [
    '$palisade_exact',
    ...lengths.flatMap((length) => [`$palisade_wild_${length}`, `$palisade_prefix_${length}`]),
  ];
  return [
    ...block('$palisade_ns', '$palisade_exact', await exactLines(state)),
    ...tables,
    ...firstOf(candidates, state.fallback === undefined ? '""' : printNginxPool(state.fallback)),
  ];
}

async function exactLines({ exact }: ResolvedState): Promise<readonly string[]> {
  const lines: string[] = [];
  await inSlices(exact, ([name, destination]) => {
    lines.push(`${mapKey(printNamespace(name))} ${printNginxPool(destination)};\n`);
  });
  return sortInSlices(lines);
}

function printNginxPool(destination: Destination): string {
  if (typeof destination !== 'string') {
    const pools = destination.parts.map(({ pool }) => printPool(pool)).join(', ');
    throw new RejectedStateError(
      `NGINX cannot divide namespaces between pools (${pools}) as the control plane does: use HAProxy, or one pool per pattern`,
    );
  }
  return printPool(destination);
}

/** A printed value as a key of `map`. */
export function mapKey(text: string): string {
  return SPECIAL.has(text) ? `\\${text}` : text;
}

function wildcardLines(wildcards: ReturnType<typeof orderWildcards>): string[] {
  return wildcards.map(({ pattern, destination }) => `"~${toPerlRegex(pattern)}" ${printNginxPool(destination)};\n`);
}

function prefixTables(length: number, prefixes: Iterable<readonly [string, Destination]>): string[] {
  const lines = [...prefixes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([prefix, destination]) =>
        `${length === 0 ? 'default' : mapKey(printPrefix(prefix))} ${printNginxPool(destination)};\n`,
    );
  const head = `$palisade_head_${length}`;
  const cut = length === 0 ? [] : block('$palisade_ns', head, [`"~^(.{${length}})" $1;\n`]);
  return [...cut, ...block(length === 0 ? '$palisade_ns' : head, `$palisade_prefix_${length}`, lines)];
}

/** Sets `$palisade_pool` to the first of these variables that is not empty, or to `last`. */
function firstOf(candidates: readonly string[], last: string): string[] {
  return candidates.flatMap((candidate, at) => {
    const next = at === candidates.length - 1 ? last : `$palisade_from_${at + 1}`;
    const name = at === 0 ? '$palisade_pool' : `$palisade_from_${at}`;
    return block(candidate, name, [`"" ${next};\n`, `default ${candidate};\n`]);
  });
}

function block(source: string, variable: string, lines: readonly string[]): string[] {
  return [`map ${source} ${variable} {\n`, ...lines, '}\n'];
}
