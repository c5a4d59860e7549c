import type { MessageToProduce } from '@platformatic/kafka';
import { InvalidRecordError } from './kafka.errors.js';

/** Texts are sent as UTF-8. */
export type KafkaData = string | Uint8Array;

/** What is produced. */
export interface KafkaRecord {
  /** Records of one key go to one partition, in their order. */
  readonly key?: KafkaData;
  /** Null says that the key has no value any more, in a topic that is compacted. */
  readonly value: KafkaData | null;
  readonly headers?: Readonly<Record<string, KafkaData>>;
  /** Absent: chosen by the key, or in turn. */
  readonly partition?: number;
  /** Absent: now. */
  readonly timestamp?: Date;
}

export interface RecordLimits {
  /** Records produced at once. */
  readonly maxRecords: number;
  /** Bytes of their keys, values and headers together; brokers have a limit of their own. */
  readonly maxBytes: number;
}

export const DEFAULT_RECORD_LIMITS: RecordLimits = { maxRecords: 10_000, maxBytes: 1_000_000 };

/** More than any cluster has. */
const MAX_PARTITION = 1_000_000;

export interface EncodedRecords {
  readonly messages: MessageToProduce[];
  readonly bytes: number;
}

/**
 * Records for a topic of the cluster.
 *
 * @throws {InvalidRecordError} when one is ill-formed, or they are too many or too large
 */
export function encodeRecords(topic: string, records: readonly KafkaRecord[], limits: RecordLimits): EncodedRecords {
  if (!Array.isArray(records) || records.length > limits.maxRecords) {
    throw new InvalidRecordError('records', `an array of at most ${limits.maxRecords}`);
  }
  let bytes = 0;
  const messages = records.map((record: KafkaRecord, index) => {
    const { message, size } = encodeRecord(topic, record, `records[${index}]`);
    bytes += size;
    if (bytes > limits.maxBytes) {
      throw new InvalidRecordError('records', `at most ${limits.maxBytes} bytes together`);
    }
    return message;
  });
  return { messages, bytes };
}

function encodeRecord(topic: string, record: KafkaRecord, path: string): { message: MessageToProduce; size: number } {
  const { key, value, headers = {}, partition, timestamp } = record;
  const encodedKey = key === undefined ? undefined : encode(key, `${path}.key`);
  // The client of Kafka takes undefined for null.
  const encodedValue = value === null ? undefined : encode(value, `${path}.value`);
  const encodedHeaders = new Map<Buffer, Buffer>();
  let size = (encodedKey?.length ?? 0) + (encodedValue?.length ?? 0);
  for (const [name, content] of Object.entries(headers)) {
    const [encodedName, encodedContent] = [Buffer.from(name), encode(content, `${path}.headers`)];
    encodedHeaders.set(encodedName, encodedContent);
    size += encodedName.length + encodedContent.length;
  }
  if (partition !== undefined && !(Number.isInteger(partition) && partition >= 0 && partition < MAX_PARTITION)) {
    throw new InvalidRecordError(`${path}.partition`, 'a number of a partition');
  }
  if (timestamp !== undefined && !(timestamp.getTime() >= 0)) {
    throw new InvalidRecordError(`${path}.timestamp`, 'a date from 1970 on');
  }
  const sentAt = timestamp === undefined ? undefined : BigInt(timestamp.getTime());
  const message = {
    topic,
    key: encodedKey,
    value: encodedValue,
    headers: encodedHeaders,
    partition,
    timestamp: sentAt,
  };
  return { message, size };
}

/** Copied, so that nothing changes while it is under way. */
function encode(data: unknown, path: string): Buffer {
  if (typeof data === 'string') {
    return Buffer.from(data);
  }
  if (data instanceof Uint8Array) {
    return Buffer.from(data);
  }
  throw new InvalidRecordError(path, 'a text or bytes');
}
