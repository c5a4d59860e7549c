import { constants, open } from 'node:fs/promises';
import { UsageError, unreadable } from '../command/command.errors.js';
import { parseCsvRecord } from './csv.js';
import { fromCsv, readHeader } from './csv-resource.js';
import { START, readRecords, type FileRecord, type Position } from './records.js';
import type { Resource, ResourceKind } from './resource-kind.js';

export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** Levels of nested objects and lists; SCIM attributes have only a few. */
const MAX_DEPTH = 32;

/** One resource of a file, or what is wrong with it. */
export interface InputRecord {
  readonly number: number;
  readonly line: number;
  readonly end: Position;
  readonly resource?: Resource;
  readonly problem?: string;
}

/** The given format, or else the one of the file's extension. @throws {UsageError} when there is neither. */
export function findFormat(path: string, named: Format | undefined): Format {
  const found = named ?? FORMATS.find((format) => path.toLowerCase().endsWith(`.${format}`));
  if (found === undefined) {
    throw new UsageError(`${path}: give its format with --format`);
  }
  return found;
}

/** The size of a regular file, which can be read from any position. @throws {UsageError} when it is not one. */
export async function sizeOf(path: string): Promise<number> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (stats.isFile()) {
      return stats.size;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  throw new UsageError(`cannot read ${path}: expected a regular file`);
}

/** The resources of a file from a position on, one at a time. @throws {UsageError} when the header of a CSV file is invalid. */
export async function* readInput(
  path: string,
  { kind, format, position, maxRecordBytes }: InputOptions,
): AsyncGenerator<InputRecord> {
  const options = { hasQuotes: format === 'csv', maxRecordBytes };
  let parse: (text: string) => Resource | string = parseNdjson;
  let from = position;
  if (format === 'csv') {
    const first = await firstRecord(readRecords(path, { ...options, from: START }));
    const header = readHeader(kind, first?.text === undefined ? undefined : parseCsvRecord(first.text));
    parse = (text) => {
      const fields = parseCsvRecord(text);
      return fields === undefined ? 'its quotes do not follow RFC 4180' : fromCsv(kind, header, fields);
    };
    from = position.offset > 0 ? position : (first?.end ?? START);
  }
  for await (const record of readRecords(path, { ...options, from })) {
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
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return 'expected a JSON object';
    }
    return isDeeperThan(value, MAX_DEPTH) ? `expected at most ${MAX_DEPTH} levels` : (value as Resource);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return 'it is not JSON';
    }
    throw error;
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

function toInputRecord(
  { text, problem: unreadable = 'it cannot be read', number, line, end }: FileRecord,
  kind: ResourceKind,
  parse: (text: string) => Resource | string,
): InputRecord {
  const parsed = text === undefined ? unreadable : parse(text);
  const problem = typeof parsed === 'string' ? parsed : findProblem(parsed, kind);
  return problem === undefined
    ? { number, line, end, resource: { schemas: [kind.schema], ...(parsed as Resource) } }
    : { number, line, end, problem };
}

/** Without an external id, repeating the import of a record would create a second resource. */
function findProblem(resource: Resource, { required }: ResourceKind): string | undefined {
  const missing = ['externalId', required].find((name) => typeof resource[name] !== 'string' || resource[name] === '');
  return missing === undefined ? undefined : `${missing} is missing`;
}
