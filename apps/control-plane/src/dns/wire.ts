import { isIPv4, isIPv6 } from 'node:net';

/** RFC 1035 §3.2.2, RFC 3596, RFC 8945, RFC 2136. */
export const TYPE = { A: 1, SOA: 6, AAAA: 28, TSIG: 250, ANY: 255 } as const;
/** RFC 1035 §3.2.4, RFC 2136 §1.3. */
export const CLASS = { IN: 1, ANY: 255 } as const;

export interface ResourceRecord {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  readonly ttlSeconds: number;
  readonly data: Buffer;
}

const MAX_LABEL_LENGTH = 63;
const MAX_NAME_LENGTH = 255;

/**
 * A name in lower case and without compression: RFC 8945 §4.3.3 signs it in this canonical form.
 *
 * @throws {RangeError} when a label is empty or too long, or the name is too long
 */
export function encodeName(name: string): Buffer {
  const labels = name.replace(/\.$/, '').toLowerCase().split('.');
  const parts = labels.map((label) => {
    const bytes = Buffer.from(label, 'latin1');
    if (bytes.length === 0 || bytes.length > MAX_LABEL_LENGTH) {
      throw new RangeError(`expected labels of 1 to ${MAX_LABEL_LENGTH} bytes, found "${name}"`);
    }
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  const encoded = Buffer.concat([...parts, Buffer.from([0])]);
  if (encoded.length > MAX_NAME_LENGTH) {
    throw new RangeError(`expected a name of at most ${MAX_NAME_LENGTH} bytes, found "${name}"`);
  }
  return encoded;
}

export function uint16(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => buffer.writeUInt16BE(value, 2 * index));
  return buffer;
}

export function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

export function encodeRecord({ name, type, class: recordClass, ttlSeconds, data }: ResourceRecord): Buffer {
  return Buffer.concat([encodeName(name), uint16(type, recordClass), uint32(ttlSeconds), uint16(data.length), data]);
}

/**
 * The data of an A or AAAA record.
 *
 * @throws {RangeError} when the text is not an address
 */
export function encodeAddress(address: string): Buffer {
  if (isIPv4(address)) {
    return Buffer.from(address.split('.').map(Number));
  }
  if (!isIPv6(address) || address.includes('%')) {
    throw new RangeError(`expected an IP address, found "${address}"`);
  }
  // URLs write IPv6 hosts in hexadecimal throughout, even embedded IPv4 addresses (WHATWG URL, IPv6 serializer).
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => 0);
  return uint16(...before, ...zeros, ...after);
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** A record and its position in a message. */
export interface RecordPlace {
  readonly type: number;
  /** The position of its first byte. */
  readonly offset: number;
  readonly data: Buffer;
}

const HEADER_LENGTH = 12;
const POINTER = 0xc0;

/**
 * The records of a message after its questions, in order.
 *
 * @throws {RangeError} when it ends too early
 */
export function findRecords(message: Buffer): RecordPlace[] {
  const questions = message.readUInt16BE(4);
  const count = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10);
  let offset = HEADER_LENGTH;
  for (let question = 0; question < questions; question++) {
    offset = skipName(message, offset) + 4;
  }
  const records: RecordPlace[] = [];
  for (let index = 0; index < count; index++) {
    const fixed = skipName(message, offset);
    const end = fixed + 10 + message.readUInt16BE(fixed + 8);
    if (end > message.length) {
      throw new RangeError('the message ends within a record');
    }
    records.push({ type: message.readUInt16BE(fixed), offset, data: message.subarray(fixed + 10, end) });
    offset = end;
  }
  return records;
}

/** The offset after the name; a compression pointer (RFC 1035 §4.1.4) ends it. */
export function skipName(message: Buffer, start: number): number {
  let offset = start;
  for (let length = message.readUInt8(offset); length !== 0; length = message.readUInt8(offset)) {
    if ((length & POINTER) === POINTER) {
      return offset + 2;
    }
    offset += 1 + length;
  }
  return offset + 1;
}
