import type { CursorPosition, ResourceQuery, Selection } from '@palisade/domain';
import { compareValues, sortValue } from '@palisade/scim';
import type { ProviderDirectory } from './provider-directory.js';
import type { ResourceRecord } from './resource-record.js';
import { searchDocuments } from './search-document.js';

/** The records of one selection of a query, in order of creation. */
export interface SelectedRecords {
  readonly selection: Selection;
  readonly records: readonly ResourceRecord[];
}

/** The records that a query selects, in its order; `positionOf` and `compare` say where each of them stands. */
export interface ResourceOrder {
  readonly records: readonly ResourceRecord[];
  readonly positionOf: (record: ResourceRecord) => CursorPosition;
  readonly compare: (a: CursorPosition, b: CursorPosition) => number;
}

export function orderResources(
  directory: ProviderDirectory,
  selected: readonly SelectedRecords[],
  order: ResourceQuery['order'],
): ResourceOrder {
  return order === 'created' ? byCreation(selected) : bySortValue(directory, selected, order);
}

function byCreation(selected: readonly SelectedRecords[]): ResourceOrder {
  const [first, ...others] = selected;
  const records = first?.records ?? [];
  return {
    records: others.length === 0 ? records : merge(selected),
    positionOf: ({ sequence }) => ({ sequence }),
    compare: bySequence,
  };
}

function bySortValue(
  directory: ProviderDirectory,
  selected: readonly SelectedRecords[],
  order: 'ascending' | 'descending',
): ResourceOrder {
  const positions = new Map(selected.flatMap((part) => positionsIn(directory, part)));
  const compare = (a: CursorPosition, b: CursorPosition): number =>
    compareSortValues(a.sortValue ?? null, b.sortValue ?? null, order) || bySequence(a, b);
  const records = [...positions].sort(([, a], [, b]) => compare(a, b)).map(([record]) => record);
  return { records, positionOf: (record) => positions.get(record) ?? { sequence: record.sequence }, compare };
}

function positionsIn(
  directory: ProviderDirectory,
  { selection: { sortBy }, records }: SelectedRecords,
): [ResourceRecord, CursorPosition][] {
  const documentOf = searchDocuments(directory, new Set(sortBy?.path.slice(0, 1)));
  return records.map((record) => [
    record,
    { sequence: record.sequence, sortValue: sortBy ? sortValue(documentOf(record), sortBy) : null },
  ]);
}

type SortValue = Exclude<CursorPosition['sortValue'], undefined>;

function compareSortValues(a: SortValue, b: SortValue, order: 'ascending' | 'descending'): number {
  const ascending = compareWithAbsent(a, b);
  return order === 'ascending' ? ascending : -ascending;
}

// RFC 7644 §3.4.2.3: resources without data "are ordered last if ascending and first if descending".
function compareWithAbsent(a: SortValue, b: SortValue): number {
  if (a === null || b === null) {
    return Number(a === null) - Number(b === null);
  }
  return compareValues(a, b);
}

/** Each part is in order already, which makes this sort a merge. */
function merge(selected: readonly SelectedRecords[]): ResourceRecord[] {
  return selected.flatMap(({ records }) => records).sort(bySequence);
}

function bySequence(a: CursorPosition, b: CursorPosition): number {
  return a.sequence - b.sequence;
}
