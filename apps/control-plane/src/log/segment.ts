import { createHash } from 'node:crypto';
import { type LogPoint, parseJsonObject, type SealedRecord } from '@palisade/domain';
import { formatRecord, parseRecord } from '@palisade/platform';

/** The last line of a segment, which describes it. */
export interface SegmentSummary {
  readonly first: number;
  readonly last: number;
  readonly records: number;
  /** `seal` of the record before the first one. */
  readonly previousSeal: string;
  /** The seal of the last record. */
  readonly seal: string;
  /** `last` and `seal`, signed when the segment was written: a compact JWS. */
  readonly signature: string;
  /** Digest of all bytes before the last line, and of the other fields here as JSON. */
  readonly sha256: string;
}

export interface Segment {
  readonly records: readonly SealedRecord[];
  readonly summary: SegmentSummary;
}

/** What the last line holds, if it is a summary. */
type WrittenSummary = Readonly<
  Partial<Record<'first' | 'last' | 'records' | 'previous_seal' | 'seal' | 'signature' | 'sha256', unknown>>
>;

const NAME = /^log-(\d{16})\.ndjson$/;
const POSITION_DIGITS = 16;

/** Names sort in the order of the log: the first position is in them. */
export function segmentName(first: number): string {
  return `log-${String(first).padStart(POSITION_DIGITS, '0')}.ndjson`;
}

/** First position of the segment of this name. */
export function firstPosition(name: string): number {
  return Number(NAME.exec(name)?.[1]);
}

export function isSegmentName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Newline-delimited JSON: one line for each record, named as the API names its fields, and a last line
 * `{"segment":{…}}` with the content of {@link SegmentSummary}.
 *
 * @param start what the segment follows on
 */
export function writeSegment(
  records: readonly [SealedRecord, ...SealedRecord[]],
  start: LogPoint,
  signature: string,
): string {
  const [first] = records;
  const last = records.at(-1) ?? first;
  const lines = records.map((record) => `${formatRecord(record)}\n`).join('');
  const summary = {
    first: first.position,
    last: last.position,
    records: records.length,
    previousSeal: start.seal,
    seal: last.seal,
    signature,
  };
  return `${lines}${formatSummary({ ...summary, sha256: digestOf(lines, summary) })}`;
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
  if (summary === undefined || summary.sha256 !== digestOf(body, summary)) {
    return undefined;
  }
  const records = body
    .split('\n')
    .slice(0, -1)
    .map(parseRecord)
    .filter((record) => record !== undefined);
  return isAsSaid(records, summary) ? { records, summary } : undefined;
}

/** Where the log goes on after the segment, without looking at its records. */
export function segmentHead({ last, seal }: SegmentSummary): LogPoint {
  return { position: last, seal };
}

export function segmentStart({ first, previousSeal }: SegmentSummary): LogPoint {
  return { position: first - 1, seal: previousSeal };
}

/** A line that is not a record shows in their number. */
function isAsSaid(records: readonly SealedRecord[], summary: SegmentSummary): boolean {
  const last = records.at(-1);
  return (
    records.length === summary.records &&
    records.at(0)?.position === summary.first &&
    last?.position === summary.last &&
    last.seal === summary.seal
  );
}

function readSummary(text: string): SegmentSummary | undefined {
  const line = text.slice(summaryStart(text));
  const written = (parseJsonObject(line)?.['segment'] ?? {}) as WrittenSummary;
  const { first, last, records, previous_seal: previousSeal, seal, signature, sha256 } = written;
  const isComplete =
    isCount(first) &&
    isCount(last) &&
    isCount(records) &&
    isText(previousSeal) &&
    isText(seal) &&
    isText(signature) &&
    isText(sha256);
  const summary = isComplete ? { first, last, records, previousSeal, seal, signature, sha256 } : undefined;
  return summary && formatSummary(summary) === line ? summary : undefined;
}

function formatSummary({ sha256, ...summary }: SegmentSummary): string {
  return `${JSON.stringify({ segment: { ...fieldsOf(summary), sha256 } })}\n`;
}

function digestOf(lines: string, summary: Omit<SegmentSummary, 'sha256'>): string {
  return createHash('sha256')
    .update(lines)
    .update(JSON.stringify(fieldsOf(summary)))
    .digest('hex');
}

function fieldsOf({ first, last, records, previousSeal, seal, signature }: Omit<SegmentSummary, 'sha256'>): object {
  return { first, last, records, previous_seal: previousSeal, seal, signature };
}

/** The last line ends with a line break; it begins behind the one before. */
function summaryStart(text: string): number {
  return text.lastIndexOf('\n', text.length - 2) + 1;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
