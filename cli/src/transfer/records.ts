import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** A place between two records, as the number of bytes, records (including empty ones) and lines before it. */
export interface Position {
  readonly offset: number;
  readonly records: number;
  readonly lines: number;
}

export const START: Position = { offset: 0, records: 0, lines: 0 };

/** One record of a file, its number, and where it ends. */
export interface FileRecord {
  /** Undefined when it cannot be read; `problem` says why. */
  readonly text: string | undefined;
  readonly problem?: string;
  /** Counted from 1. */
  readonly number: number;
  /** The line in which it begins, counted from 1; a CSV record may have several lines. */
  readonly line: number;
  readonly end: Position;
}

export interface RecordsOptions {
  readonly from: Position;
  /** Whether line breaks between double quotes belong to the record, as in CSV. */
  readonly hasQuotes: boolean;
  readonly maxRecordBytes: number;
}

/**
 * The records of a file, one at a time. Memory holds at most one record and one chunk, and of a record longer than
 * `maxRecordBytes` only the chunk. Empty lines are skipped, but counted.
 */
export async function* readRecords(path: string, options: RecordsOptions): AsyncGenerator<FileRecord> {
  const pending = new PendingRecord(options);
  const scanner = new RecordScanner(options.hasQuotes);
  const { offset } = options.from;
  const markBytes = offset === 0 ? await countMarkBytes(path) : 0;
  pending.skip(markBytes);
  for await (const chunk of createReadStream(path, { start: offset + markBytes }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] ?? 0;
      if (byte === LINE_FEED) {
        pending.lines++;
      }
      if (scanner.take(byte)) {
        pending.take(chunk.subarray(from, index + 1));
        from = index + 1;
        yield* pending.finish(scanner.isQuoted);
      }
    }
    pending.take(chunk.subarray(from));
  }
  yield* pending.finish(scanner.isQuoted);
}

/** The length of the byte order mark at the beginning of a file; 0 without one. */
async function countMarkBytes(path: string): Promise<number> {
  const { length } = BYTE_ORDER_MARK;
  for await (const chunk of createReadStream(path, {
    end: length - 1,
    highWaterMark: length,
  }) as AsyncIterable<Buffer>) {
    return chunk.equals(BYTE_ORDER_MARK) ? length : 0;
  }
  return 0;
}

/** What has been read of the next record. */
class PendingRecord {
  /** Line breaks in it so far. */
  lines = 0;
  private position: Position;
  private parts: Buffer[] = [];
  private length = 0;

  constructor(private readonly options: RecordsOptions) {
    this.position = options.from;
  }

  /** Skips bytes before the first record. */
  skip(count: number): void {
    this.position = { ...this.position, offset: this.position.offset + count };
  }

  take(part: Buffer): void {
    this.length += part.length;
    if (this.length > this.options.maxRecordBytes) {
      this.parts = [];
    } else {
      this.parts.push(part);
    }
  }

  /** The record, unless it is empty; the next one begins. */
  finish(isQuoted: boolean): readonly FileRecord[] {
    const { offset, records, lines } = this.position;
    const bytes = withoutLineEnd(Buffer.concat(this.parts));
    const problem = this.findProblem(bytes, isQuoted);
    this.position = { offset: offset + this.length, records: records + 1, lines: lines + this.lines };
    [this.parts, this.length, this.lines] = [[], 0, 0];
    const place = { number: records + 1, line: lines + 1, end: this.position };
    if (problem !== undefined) {
      return [{ text: undefined, problem, ...place }];
    }
    return bytes.length === 0 ? [] : [{ text: bytes.toString('utf8'), ...place }];
  }

  private findProblem(bytes: Buffer, isQuoted: boolean): string | undefined {
    const { maxRecordBytes } = this.options;
    if (this.length > maxRecordBytes) {
      return `expected at most ${maxRecordBytes} bytes, found ${this.length}`;
    }
    if (isQuoted) {
      return 'its quotes are not closed';
    }
    return isUtf8(bytes) ? undefined : 'it is not UTF-8';
  }
}

function withoutLineEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  if (bytes[end - 1] === LINE_FEED) {
    end--;
  }
  if (bytes[end - 1] === CARRIAGE_RETURN) {
    end--;
  }
  return bytes.subarray(0, end);
}

const COMMA = 0x2c;
const QUOTE = 0x22;

/** Where in a record a byte is: at the start of a field, inside one, between quotes, or after a quote that may close them. */
type Place = 'start' | 'plain' | 'quoted' | 'closed';

/**
 * Finds where records end, byte by byte. In CSV, line breaks between double quotes belong to the record; only a quote at the
 * start of a field opens a quoted part, so a stray quote damages no other record.
 */
class RecordScanner {
  private place: Place = 'start';

  constructor(private readonly hasQuotes: boolean) {}

  /** Whether a line break would belong to the record. */
  get isQuoted(): boolean {
    return this.place === 'quoted';
  }

  /** Whether the record ends with this byte. */
  take(byte: number): boolean {
    if (byte === LINE_FEED && this.place !== 'quoted') {
      this.place = 'start';
      return true;
    }
    if (this.hasQuotes) {
      this.place = this.next(byte);
    }
    return false;
  }

  private next(byte: number): Place {
    switch (this.place) {
      case 'quoted':
        return byte === QUOTE ? 'closed' : 'quoted';
      case 'closed':
        // RFC 4180 §2.7: two quotes stand for one, and the quoted part continues.
        return byte === QUOTE ? 'quoted' : this.outside(byte);
      case 'start':
        return byte === QUOTE ? 'quoted' : this.outside(byte);
      default:
        return this.outside(byte);
    }
  }

  private outside(byte: number): Place {
    return byte === COMMA ? 'start' : 'plain';
  }
}
