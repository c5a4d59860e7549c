import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { UsageError } from '../usage.error.js';
import { parseCsvRecord } from './csv.js';
import { fromCsv, readHeader } from './csv-resource.js';
import { readRecords, type FileRecord } from './records.js';
import type { Resource, ResourceKind } from './resource-kind.js';
import { systemErrorCode } from '../system-error-code.js';

export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

const HASHED_BYTES = 64 * 1024;

/** One resource of a file, or what is wrong with it. */
export interface InputRecord {
  readonly number: number;
  readonly endOffset: number;
  readonly resource?: Resource;
  readonly problem?: string;
}

/** Where reading begins: after the records of a run before, or at the start. */
export interface Position {
  readonly offset: number;
  readonly records: number;
}

/** The format that is named, else the one that the name of the file ends with. @throws {UsageError} when there is none. */
export function findFormat(path: string, named: Format | undefined): Format {
  const found = named ?? FORMATS.find((format) => path.toLowerCase().endsWith(`.${format}`));
  if (found === undefined) {
    throw new UsageError(`${path}: say which format it has with --format`);
  }
  return found;
}

/** Size and beginning of a file: enough to see that it is not the one of the run before. @throws {UsageError} */
export async function identify(path: string): Promise<{ readonly bytes: number; readonly digest: string }> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HASHED_BYTES), 0, HASHED_BYTES, 0);
    return { bytes: size, digest: createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex') };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== undefined) {
      throw new UsageError(`cannot read ${path} (${code})`, { cause: error });
    }
    throw error;
  }
}

/** The resources of a file from a position on, one at a time. @throws {UsageError} when a CSV file has no good header. */
export async function* readInput(
  path: string,
  { kind, format, position, maxRecordBytes }: InputOptions,
): AsyncGenerator<InputRecord> {
  const options = { hasQuotes: format === 'csv', maxRecordBytes };
  let parse: (text: string) => Resource | string = parseNdjson;
  let start = { start: position.offset, firstNumber: position.records + 1 };
  if (format === 'csv') {
    const first = await firstRecord(readRecords(path, { ...options, start: 0, firstNumber: 1 }));
    const header = readHeader(kind, first?.text === undefined ? undefined : parseCsvRecord(first.text));
    parse = (text) => {
      const fields = parseCsvRecord(text);
      return fields === undefined ? 'its quotes are not as in RFC 4180' : fromCsv(kind, header, fields);
    };
    start = position.offset > 0 ? start : { start: first?.endOffset ?? 0, firstNumber: 2 };
  }
  for await (const record of readRecords(path, { ...options, ...start })) {
    yield toInputRecord(record, kind, parse);
  }
}

export interface InputOptions {
  readonly kind: ResourceKind;
  readonly format: Format;
  readonly position: Position;
  readonly maxRecordBytes: number;
}

async function firstRecord(records: AsyncGenerator<FileRecord>): Promise<FileRecord | undefined> {
  const { value } = await records.next();
  await records.return(undefined);
  return value as FileRecord | undefined;
}

function parseNdjson(text: string): Resource | string {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Resource) : 'expected a JSON object';
  } catch (error) {
    if (error instanceof SyntaxError) {
      return 'it is not JSON';
    }
    throw error;
  }
}

function toInputRecord(
  { text, number, endOffset }: FileRecord,
  kind: ResourceKind,
  parse: (text: string) => Resource | string,
): InputRecord {
  const parsed = text === undefined ? 'it is not UTF-8' : parse(text);
  const problem = typeof parsed === 'string' ? parsed : findProblem(parsed, kind);
  return problem === undefined
    ? { number, endOffset, resource: { schemas: [kind.schema], ...(parsed as Resource) } }
    : { number, endOffset, problem };
}

/** Without an external id, the import of a record could not be repeated without making a second resource. */
function findProblem(resource: Resource, { required }: ResourceKind): string | undefined {
  const missing = ['externalId', required].find((name) => typeof resource[name] !== 'string' || resource[name] === '');
  return missing === undefined ? undefined : `${missing} is missing`;
}
