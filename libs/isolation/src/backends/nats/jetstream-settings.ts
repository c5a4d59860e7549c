import type { ConsumerConfig, StreamConfig } from '@nats-io/jetstream';
import { AckPolicy, DeliverPolicy, DiscardPolicy, RetentionPolicy, StorageType } from './jetstream-package.js';
import type { SubjectSpace } from './subject-space.js';

/** What a namespace may say of its streams; nothing of it leads out of its subjects. */
export interface StreamSettings {
  /** Subjects of the namespace, with wildcards if wanted, whose messages the stream keeps. */
  readonly subjects: readonly string[];
  /** Default `file`. */
  readonly storage?: 'file' | 'memory';
  /** `limits` (the default) keeps messages up to the limits, `interest` until all consumers, `workqueue` until one has them. */
  readonly retention?: 'limits' | 'interest' | 'workqueue';
  /** At a limit the oldest messages go (the default), or new ones are rejected. */
  readonly whenFull?: 'discard-old' | 'reject-new';
  /** Absent: without limit. */
  readonly maxMessages?: number;
  readonly maxBytes?: number;
  readonly maxMessageBytes?: number;
  readonly maxAgeMs?: number;
  /** How long the ids of messages are remembered. Default 120,000. */
  readonly duplicateWindowMs?: number;
  /** Servers that keep the messages. Default 1. */
  readonly replicas?: number;
}

export interface StreamState {
  readonly messages: number;
  readonly bytes: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly consumers: number;
}

export const NANOS_PER_MS = 1_000_000;

const MAX_SUBJECTS = 100;
const UNLIMITED = -1;

/** @throws {InvalidNameError} {@link RangeError} when a name or a number is invalid */
export function toStreamConfig(
  names: SubjectSpace,
  name: string,
  settings: StreamSettings,
): Partial<StreamConfig> & Pick<StreamConfig, 'name'> {
  const { subjects, storage = 'file', retention = 'limits', whenFull = 'discard-old' } = settings;
  if (subjects.length === 0 || subjects.length > MAX_SUBJECTS) {
    throw new RangeError(`expected 1 to ${MAX_SUBJECTS} subjects, found ${subjects.length}`);
  }
  return {
    name: names.stream(name),
    subjects: subjects.map((subject) => names.subjectPattern(subject)),
    storage: storage === 'memory' ? StorageType.Memory : StorageType.File,
    retention: {
      limits: RetentionPolicy.Limits,
      interest: RetentionPolicy.Interest,
      workqueue: RetentionPolicy.Workqueue,
    }[retention],
    discard: whenFull === 'reject-new' ? DiscardPolicy.New : DiscardPolicy.Old,
    max_msgs: requirePositive('maxMessages', settings.maxMessages, UNLIMITED),
    max_bytes: requirePositive('maxBytes', settings.maxBytes, UNLIMITED),
    max_msg_size: requirePositive('maxMessageBytes', settings.maxMessageBytes, UNLIMITED),
    max_age: requirePositive('maxAgeMs', settings.maxAgeMs, 0) * NANOS_PER_MS,
    duplicate_window: requirePositive('duplicateWindowMs', settings.duplicateWindowMs, 120_000) * NANOS_PER_MS,
    num_replicas: requirePositive('replicas', settings.replicas, 1),
  };
}

/** @throws {RangeError} when it is no whole number of at least 1 */
export function requirePositive(name: string, value: number | undefined, absent: number): number {
  if (value === undefined) {
    return absent;
  }
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`${name}: expected a whole number of at least 1, found ${value}`);
  }
  return value;
}

/** What a namespace may say of a consumer: messages are always fetched, and each is acknowledged. */
export interface ConsumerSettings {
  /** Only messages to these subjects of the namespace, with wildcards if wanted. Absent: all of the stream. */
  readonly subject?: string;
  /** Where a new consumer begins. Default `first`. */
  readonly from?: 'first' | 'new' | 'last';
  /** How long a message may be without acknowledgement before it is delivered again. Default 30,000. */
  readonly ackWaitMs?: number;
  /** How often a message is delivered at most. Absent: until it is acknowledged. */
  readonly maxDeliveries?: number;
  /** Messages that may be without acknowledgement, over all who fetch. Default 1,000. */
  readonly maxUnacknowledged?: number;
}

const POLICIES = { first: DeliverPolicy.All, new: DeliverPolicy.New, last: DeliverPolicy.Last };

/** @throws {InvalidNameError} when a name is none; {RangeError} when a number is */
export function toConsumerConfig(
  names: SubjectSpace,
  name: string,
  settings: ConsumerSettings,
): Partial<ConsumerConfig> {
  const { subject, from = 'first', ackWaitMs, maxDeliveries, maxUnacknowledged } = settings;
  return {
    durable_name: names.stream(name, 'consumer'),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: POLICIES[from],
    ...(subject === undefined ? {} : { filter_subject: names.subjectPattern(subject) }),
    ack_wait: requirePositive('ackWaitMs', ackWaitMs, 30_000) * NANOS_PER_MS,
    max_deliver: requirePositive('maxDeliveries', maxDeliveries, -1),
    max_ack_pending: requirePositive('maxUnacknowledged', maxUnacknowledged, 1_000),
  };
}
