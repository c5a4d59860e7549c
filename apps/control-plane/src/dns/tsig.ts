import { createHmac, timingSafeEqual } from 'node:crypto';
import { CLASS, TYPE, encodeName, encodeRecord, findRecords, skipName, uint16, uint32 } from './wire.js';

export interface TsigKey {
  readonly name: string;
  readonly algorithm: 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512';
  readonly secret: Buffer;
}

/** A message with its signature. */
export interface SignedMessage {
  readonly message: Buffer;
  /** The signature of the answer covers it. */
  readonly mac: Buffer;
}

/** RFC 8945 §5.2.3: "a fudge value of 300 seconds is RECOMMENDED". */
const FUDGE_SECONDS = 300;
const ADDITIONAL_COUNT_OFFSET = 10;

/** RFC 8945 §3: values of the error field. */
export const TSIG_ERRORS: Readonly<Record<number, string>> = {
  16: 'BADSIG: the server has another secret for this key',
  17: 'BADKEY: the server does not know this key, or does not let it update this name',
  18: 'BADTIME: the clocks of the server and of this machine differ by more than 300 s',
  22: 'BADTRUNC: the signature is too short for the server',
};

/** Signs a message with a TSIG record as its last one (RFC 8945 §4). `now` in milliseconds since 1970. */
export function signMessage(message: Buffer, key: TsigKey, now: number): SignedMessage {
  const time = timeFields(Math.floor(now / 1000), FUDGE_SECONDS);
  const mac = hmac(key, message, variables(key, time, 0, Buffer.alloc(0)));
  const data = Buffer.concat([
    encodeName(key.algorithm),
    time,
    uint16(mac.length),
    mac,
    message.subarray(0, 2), // original id
    uint16(0, 0), // no error, no other data
  ]);
  const signed = Buffer.concat([
    message,
    encodeRecord({ name: key.name, type: TYPE.TSIG, class: CLASS.ANY, ttlSeconds: 0, data }),
  ]);
  signed.writeUInt16BE(message.readUInt16BE(ADDITIONAL_COUNT_OFFSET) + 1, ADDITIONAL_COUNT_OFFSET);
  return { message: signed, mac };
}

export interface TsigVerdict {
  /** Whether the server that answered knows the key, and the answer belongs to the request. */
  readonly isAuthentic: boolean;
  /** The server's error about the request's signature; 0 for none. */
  readonly error: number;
}

/** Verifies the answer to a signed request (RFC 8945 §5.4). `now` in milliseconds since 1970. @throws {RangeError} */
export function verifyAnswer(answer: Buffer, requestMac: Buffer, key: TsigKey, now: number): TsigVerdict {
  const record = findRecords(answer).at(-1);
  if (record?.type !== TYPE.TSIG) {
    return { isAuthentic: false, error: 0 };
  }
  const fields = readTsig(record.data);
  const unsigned = Buffer.from(answer.subarray(0, record.offset));
  unsigned.writeUInt16BE(answer.readUInt16BE(ADDITIONAL_COUNT_OFFSET) - 1, ADDITIONAL_COUNT_OFFSET);
  fields.originalId.copy(unsigned, 0);
  const expected = hmac(
    key,
    // RFC 8945 §5.3: "the request MAC" comes first, with its length.
    Buffer.concat([uint16(requestMac.length), requestMac, unsigned]),
    variables(key, fields.time, fields.error, fields.other),
  );
  const skewSeconds = Math.abs(fields.time.readUIntBE(0, 6) - Math.floor(now / 1000));
  return {
    isAuthentic:
      fields.mac.length === expected.length && timingSafeEqual(fields.mac, expected) && skewSeconds <= FUDGE_SECONDS,
    error: fields.error,
  };
}

function readTsig(data: Buffer) {
  const start = skipName(data, 0);
  const macEnd = start + 10 + data.readUInt16BE(start + 8);
  const otherLength = data.readUInt16BE(macEnd + 4);
  return {
    time: data.subarray(start, start + 8),
    mac: data.subarray(start + 10, macEnd),
    originalId: data.subarray(macEnd, macEnd + 2),
    error: data.readUInt16BE(macEnd + 2),
    other: data.subarray(macEnd + 6, macEnd + 6 + otherLength),
  };
}

/** RFC 8945 §4.3.3: "TSIG variables". */
function variables(key: TsigKey, time: Buffer, error: number, other: Buffer): Buffer {
  return Buffer.concat([
    encodeName(key.name),
    uint16(CLASS.ANY),
    uint32(0),
    encodeName(key.algorithm),
    time,
    uint16(error, other.length),
    other,
  ]);
}

/** Time signed, 48 bits, and fudge. */
function timeFields(seconds: number, fudgeSeconds: number): Buffer {
  const time = Buffer.alloc(6);
  time.writeUIntBE(seconds, 0, 6);
  return Buffer.concat([time, uint16(fudgeSeconds)]);
}

function hmac({ algorithm, secret }: TsigKey, ...parts: readonly Buffer[]): Buffer {
  const digest = createHmac(algorithm.slice('hmac-'.length), secret);
  parts.forEach((part) => digest.update(part));
  return digest.digest();
}
