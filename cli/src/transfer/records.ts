import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { RecordScanner } from './record-scanner.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** What lies behind a place between two records: bytes, records (empty ones as well) and lines. */
export interface Position {
  readonly offset: number;
  readonly records: number;
  readonly lines: number;
}

export const START: Position = { offset: 0, records: 0, lines: 0 };

/** One record of a file, which one it is, and where it ends. */
export interface FileRecord {
  /** Undefined when it cannot be read; `problem` says why. */
  readonly text: string | undefined;
  readonly problem?: string;
  /** From 1. */
  readonly number: number;
  /** The line, from 1, that it begins in; a record of CSV may have several. */
  readonly line: number;
  readonly end: Position;
}

export interface RecordsOptions {
  readonly from: Position;
  /** Whether line ends between double quotes belong to the record, as in CSV. */
  readonly hasQuotes: boolean;
  readonly maxRecordBytes: number;
}

/**
 * The records of a file, one at a time: never more of it in memory than a record and a chunk, and of a record that is
 * longer than `maxRecordBytes` not even that. Empty lines are no records, but count.
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

/** How long the byte order mark is that a file begins with. */
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

/** What has been read of the record that comes next. */
class PendingRecord {
  /** Line ends in it so far. */
  lines = 0;
  private position: Position;
  private parts: Buffer[] = [];
  private length = 0;

  constructor(private readonly options: RecordsOptions) {
    this.position = options.from;
  }

  /** Leaves out bytes before the first record. */
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
      return 'its quotes do not end';
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
