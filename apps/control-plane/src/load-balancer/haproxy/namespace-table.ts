import type { Destination } from '../../routing/table/desired-state.js';
import type { DestinationNames } from '../rendering/destination-names.js';
import { inSlices } from '../rendering/slices.js';
import { printNamespace, printPrefix } from '../rendering/printed-values.js';
import { SortedLines, type LineChanges } from '../rendering/sorted-lines.js';
import type { ResolvedState } from '../rendering/resolved-state.js';

/** Stands for a missing pool; no pool can have this name. */
export const NO_DESTINATION = '_none';
/** The rank of entries that no wildcard precedes; larger than the length of any prefix. */
export const FINAL_RANK = 64;
const ROOT = '/';

export interface NamespaceSource {
  readonly state: ResolvedState;
  /** Prefixes for whose namespaces wildcards may have precedence. */
  readonly contested: ReadonlySet<string>;
  readonly names: DestinationNames;
}

/**
 * The map of names and prefixes. `map_beg` looks up `/<namespace>.` in it, and finds the longest key that this starts with.
 * A name has the key `/<name>.`, which is longer than that of every matching prefix. A prefix has the key `/<prefix>`, so that
 * the empty prefix, or the fallback, has a key as well. As there is one map, a change takes effect at once.
 *
 * Values are `<destination>/<rank>`: a wildcard of at least this rank comes first.
 *
 * Immutable; it uses the maps of its state, which must not be modified either.
 */
export class NamespaceTable {
  private readonly identity = Symbol('table');

  private constructor(
    private readonly source: NamespaceSource,
    private readonly lines: SortedLines,
    /** The table that this one was derived from, and the differences. */
    private readonly origin?: { readonly identity: symbol; readonly changes: LineChanges },
  ) {}

  /**
   * Yields to other work meanwhile. Afterwards `source.names` knows all destinations.
   *
   * @param previous an earlier table: the less has changed, the faster
   * @throws {RejectedStateError} when something cannot be written
   */
  static async of(source: NamespaceSource, previous?: NamespaceTable): Promise<NamespaceTable> {
    const changes = await compare(previous?.source ?? EMPTY, source);
    const print = (key: string): string => `${key} ${valueIn(source, key)}\n`;
    const lines = await (previous?.lines.with(changes, print) ?? SortedLines.of(changes.added, print));
    return new NamespaceTable(source, lines, previous && { identity: previous.identity, changes });
  }

  /** The number of entries. */
  get size(): number {
    const { exact, prefixes } = this.source.state;
    return exact.size + prefixes.size + (hasRoot(this.source.state) && !prefixes.has('') ? 1 : 0);
  }

  /** Undefined when there is no such key. */
  valueOf(key: string): string | undefined {
    return valueIn(this.source, key);
  }

  /** Sorted. */
  keys(): Generator<string> {
    return this.lines.keys();
  }

  async changesSince(from: NamespaceTable): Promise<LineChanges> {
    return this.origin?.identity === from.identity ? this.origin.changes : compare(from.source, this.source);
  }

  /** The file, in pieces. */
  pieces(): string[] {
    return this.lines.pieces();
  }
}

const EMPTY: Pick<NamespaceSource, 'state' | 'contested'> = {
  state: { revision: 0, pools: [], exact: new Map(), prefixes: new Map(), wildcards: new Map(), unresolved: [] },
  contested: new Set(),
};

function hasRoot({ prefixes, fallback }: ResolvedState): boolean {
  return prefixes.has('') || fallback !== undefined;
}

function valueIn({ state, contested, names }: NamespaceSource, key: string): string | undefined {
  const text = key.slice(1);
  if (text.endsWith('.')) {
    const destination = state.exact.get(text.slice(0, -1));
    return destination && `${names.nameOf(destination)}/${FINAL_RANK}`;
  }
  const destination = state.prefixes.get(text) ?? (text === '' ? state.fallback : undefined);
  return destination && `${names.nameOf(destination)}/${contested.has(text) ? text.length : FINAL_RANK}`;
}

type Before = Pick<NamespaceSource, 'state' | 'contested'> & Partial<Pick<NamespaceSource, 'names'>>;

/** Compares destinations first, as most are the same objects; then their printed values. */
async function compare(from: Before, to: NamespaceSource): Promise<LineChanges> {
  const [added, changed, removed]: [string[], string[], string[]] = [[], [], []];
  const note = (key: string, before: Destination | undefined, after: Destination | undefined): void => {
    if (after === undefined) {
      removed.push(key);
    } else if (before === undefined) {
      added.push(key);
    } else if (from.names === undefined || valueIn({ ...from, names: from.names }, key) !== valueIn(to, key)) {
      changed.push(key);
    }
  };
  const isContestedOtherwise = from.contested.symmetricDifference(to.contested).size > 0;
  const [before, after] = [from.state, to.state];
  await inSlices(after.exact, ([name, destination]) => {
    to.names.nameOf(destination);
    const earlier = before.exact.get(name);
    if (earlier !== destination) {
      note(`/${printNamespace(name)}.`, earlier, destination);
    }
  });
  await inSlices(after.prefixes, ([prefix, destination]) => {
    to.names.nameOf(destination);
    const earlier = before.prefixes.get(prefix);
    if (prefix !== '' && (earlier !== destination || isContestedOtherwise)) {
      note(`/${printPrefix(prefix)}`, earlier, destination);
    }
  });
  await inSlices(before.exact.keys(), (name) => after.exact.has(name) || removed.push(`/${name}.`));
  await inSlices(
    before.prefixes.keys(),
    (prefix) => prefix === '' || after.prefixes.has(prefix) || removed.push(`/${prefix}`),
  );
  noteRoot(before, after, note);
  return { added, changed, removed };
}

function noteRoot(
  before: ResolvedState,
  after: ResolvedState,
  note: (key: string, before: Destination | undefined, after: Destination | undefined) => void,
): void {
  const [earlier, later] = [before, after].map(({ prefixes, fallback }) => prefixes.get('') ?? fallback);
  if (earlier !== undefined || later !== undefined) {
    note(ROOT, earlier, later);
  }
}
