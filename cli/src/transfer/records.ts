import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { FailureError } from '../failure.error.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const BYTE_ORDER_MARK = '\ufeff';

/** One record of a file, where it ends, and which one it is. */
export interface FileRecord {
  /** Undefined when it is not UTF-8. */
  readonly text: string | undefined;
  /** Bytes from the start of the file to the start of the next record. */
  readonly endOffset: number;
  /** From 1. */
  readonly number: number;
}

export interface RecordsOptions {
  readonly start: number;
  /** Number of the first record. */
  readonly firstNumber: number;
  /** Whether line ends between double quotes belong to the record, as in CSV. */
  readonly hasQuotes: boolean;
  readonly maxRecordBytes: number;
}

/**
 * The records of a file, one at a time: never more of it in memory than a record and a chunk. Empty lines are no records,
 * but count.
 *
 * @throws {FailureError} when a record is longer than `maxRecordBytes`, or ends within quotes.
 */
export async function* readRecords(path: string, options: RecordsOptions): AsyncGenerator<FileRecord> {
  const pending = new PendingRecord(options);
  let isQuoted = false;
  for await (const chunk of createReadStream(path, { start: options.start }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index];
      if (options.hasQuotes && byte === QUOTE) {
        isQuoted = !isQuoted;
      } else if (byte === LINE_FEED && !isQuoted) {
        pending.take(chunk.subarray(from, index + 1));
        from = index + 1;
        yield* pending.finish();
      }
    }
    pending.take(chunk.subarray(from));
  }
  if (isQuoted) {
    throw new FailureError(`record ${pending.number} ends within quotes`);
  }
  yield* pending.finish();
}

/** What has been read of the record that comes next. */
class PendingRecord {
  number: number;
  private parts: Buffer[] = [];
  private length = 0;
  private offset: number;

  constructor(private readonly options: RecordsOptions) {
    this.number = options.firstNumber;
    this.offset = options.start;
  }

  take(part: Buffer): void {
    this.length += part.length;
    if (this.length > this.options.maxRecordBytes) {
      throw new FailureError(`record ${this.number} has more than ${this.options.maxRecordBytes} bytes`);
    }
    this.parts.push(part);
  }

  /** The record, unless it is empty; the next one begins. */
  finish(): readonly FileRecord[] {
    const bytes = withoutLineEnd(Buffer.concat(this.parts));
    const number = this.number++;
    this.offset += this.length;
    this.parts = [];
    this.length = 0;
    return bytes.length === 0 ? [] : [{ text: decode(bytes, number), endOffset: this.offset, number }];
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

function decode(bytes: Buffer, number: number): string | undefined {
  if (!isUtf8(bytes)) {
    return undefined;
  }
  const text = bytes.toString('utf8');
  return number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
