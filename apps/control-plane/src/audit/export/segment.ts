import { createHash } from 'node:crypto';
import { type ChainedActionRecord, type ChainHead, type ChainStart, parseJsonObject } from '@palisade/domain';
import { formatRecord, parseRecord } from '../record-json.js';

/** What a segment says of itself in its last line. */
export interface SegmentSummary {
  readonly first: number;
  readonly last: number;
  readonly records: number;
  /** `hash` of the record before the first one. */
  readonly previousHash: string;
  /** Of the last record. */
  readonly hash: string;
  /** Of all bytes before the last line. */
  readonly sha256: string;
}

export interface Segment {
  readonly records: readonly ChainedActionRecord[];
  readonly summary: SegmentSummary;
}

/** What the last line holds, if it is one. */
type WrittenSummary = Readonly<
  Partial<Record<'first' | 'last' | 'records' | 'previous_hash' | 'hash' | 'sha256', unknown>>
>;

const NAME = /^actions-(\d{16})\.ndjson$/;
const SEQUENCE_DIGITS = 16;

/** Names sort as the segments follow on each other: the first sequence is in it. */
export function segmentName(first: number): string {
  return `actions-${String(first).padStart(SEQUENCE_DIGITS, '0')}.ndjson`;
}

/** Of the segment of this name. */
export function firstSequence(name: string): number {
  return Number(NAME.exec(name)?.[1]);
}

export function isSegmentName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Newline-delimited JSON: one line for each record, named as the API names its fields, and a last line
 * `{"segment":{…}}` with what {@link SegmentSummary} tells. Nothing depends on when it was written.
 */
export function writeSegment(records: readonly [ChainedActionRecord, ...ChainedActionRecord[]]): string {
  const [first] = records;
  const last = records.at(-1) ?? first;
  const lines = records.map((record) => `${formatRecord(record)}\n`).join('');
  const summary = {
    first: first.sequence,
    last: last.sequence,
    records: records.length,
    previousHash: first.previousHash,
    hash: last.hash,
    sha256: sha256(lines),
  };
  return `${lines}${formatSummary(summary)}`;
}

/**
 * A segment whose bytes are those that were written, and which holds what its last line says. Whether the records are an
 * unbroken chain is another question.
 *
 * @returns undefined when it is cut off, changed or something else
 */
export function readSegment(text: string): Segment | undefined {
  const summary = readSummary(text);
  const body = text.slice(0, summaryStart(text));
  if (summary === undefined || summary.sha256 !== sha256(body)) {
    return undefined;
  }
  const records = body
    .split('\n')
    .slice(0, -1)
    .map(parseRecord)
    .filter((record) => record !== undefined);
  return isAsSaid(records, summary) ? { records, summary } : undefined;
}

/** Where the chain goes on after the segment, without looking at its records. */
export function segmentHead({ last, hash }: SegmentSummary): ChainHead {
  return { sequence: last, hash };
}

export function segmentStart({ first, previousHash }: SegmentSummary): ChainStart {
  return { sequence: first, previousHash };
}

/** A line that is no record shows in their number. */
function isAsSaid(records: readonly ChainedActionRecord[], summary: SegmentSummary): boolean {
  const [first, last] = [records.at(0), records.at(-1)];
  return (
    records.length === summary.records &&
    first?.sequence === summary.first &&
    first.previousHash === summary.previousHash &&
    last?.sequence === summary.last &&
    last.hash === summary.hash
  );
}

function readSummary(text: string): SegmentSummary | undefined {
  const line = text.slice(summaryStart(text));
  const written = parseJsonObject(line)?.['segment'];
  const { first, last, records, previous_hash: previousHash, hash, sha256: digest } = (written ?? {}) as WrittenSummary;
  const isComplete =
    isCount(first) && isCount(last) && isCount(records) && isText(previousHash) && isText(hash) && isText(digest);
  const summary = isComplete ? { first, last, records, previousHash, hash, sha256: digest } : undefined;
  return summary && formatSummary(summary) === line ? summary : undefined;
}

function formatSummary({ first, last, records, previousHash, hash, sha256: digest }: SegmentSummary): string {
  return `${JSON.stringify({ segment: { first, last, records, previous_hash: previousHash, hash, sha256: digest } })}\n`;
}

/** The last line ends with a line break; it begins behind the one before. */
function summaryStart(text: string): number {
  return text.lastIndexOf('\n', text.length - 2) + 1;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
