import { AckPolicy, DeliverPolicy, type ConsumerConfig } from '@nats-io/jetstream';
import type { SubjectSpace } from '../subject-space.js';
import { NANOS_PER_MS, requirePositive } from './stream-settings.js';

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
