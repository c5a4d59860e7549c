import { Injectable } from '@nestjs/common';
import { Isolation, type RunOptions } from '@palisade/isolation';
import {
  KafkaDriver,
  KafkaRejectedError,
  type KafkaMessage,
  type KafkaPosition,
  type ScopedKafka,
} from '@palisade/isolation/kafka';
import type { Call } from '../http/call.js';
import { takeBatch } from './take-batch.js';
import { TopicNotFoundError, TopicUnavailableError } from './topics.errors.js';
import type { ConsumeQuery, TopicRecord } from './topics.dto.js';

/** An answer ends with the message that reaches this size. */
const MAX_BATCH_BYTES = 1_048_576;

/** The topics of the caller's namespace. */
@Injectable()
export class TopicsService {
  constructor(private readonly isolation: Isolation) {}

  /** @throws {TopicNotFoundError} {@link TopicUnavailableError} */
  produce(call: Call, topic: string, records: readonly TopicRecord[]): Promise<readonly KafkaPosition[]> {
    return this.#run(call, 'kafka.produce', topic, (kafka) => kafka.produce(topic, records));
  }

  /**
   * Messages that the group has not seen yet, from the beginning of the topic. They are committed before the answer is sent, so
   * each is delivered at most once. A program that must not lose any consumes with the library, next to its own work.
   *
   * @throws {TopicNotFoundError} {@link TopicUnavailableError}
   */
  consume(call: Call, topic: string, { group, max, wait_ms: waitMs, commit }: ConsumeQuery): Promise<KafkaMessage[]> {
    const work = async (kafka: ScopedKafka): Promise<KafkaMessage[]> => {
      await using messages = await kafka.consume(topic, { group, from: 'earliest' });
      const batch = await takeBatch(messages, sizeOf, { max, waitMs, maxBytes: MAX_BATCH_BYTES });
      const lastOfPartitions = new Map(batch.map((message) => [message.partition, message]));
      for (const last of commit ? lastOfPartitions.values() : []) {
        await last.commit();
      }
      return batch;
    };
    // The client says how long it wants to wait for messages.
    return this.#run(call, 'kafka.consume', topic, work, { isLongLived: true });
  }

  async #run<T>(
    { caller, signal }: Call,
    action: string,
    topic: string,
    work: (kafka: ScopedKafka) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    const run = { ...options, signal, action, resource: topic };
    try {
      return await this.isolation.run(caller, 'kafka', KafkaDriver, work, run);
    } catch (error) {
      throw error instanceof KafkaRejectedError ? explain(error, topic) : error;
    }
  }
}

function explain(error: KafkaRejectedError, topic: string): Error {
  if (error.reason === 'UNKNOWN_TOPIC_OR_PARTITION') {
    return new TopicNotFoundError(topic, { cause: error });
  }
  return error.isTransient ? new TopicUnavailableError(topic, { cause: error }) : error;
}

function sizeOf({ key, value }: KafkaMessage): number {
  return (key?.length ?? 0) + (value?.length ?? 0);
}
