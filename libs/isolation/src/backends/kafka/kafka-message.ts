import type { Message } from '@platformatic/kafka';

/** What is consumed. */
export interface KafkaMessage {
  /** As the namespace calls it. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly timestamp: Date;
  readonly key: Buffer | undefined;
  readonly value: Buffer | null;
  /** When several have one name, the last of them. */
  readonly headers: ReadonlyMap<string, Buffer>;

  /**
   * Says that this message, and those before it in its partition, are done: whoever continues for the group begins after it.
   * Resolves when the cluster has noted that.
   */
  commit(): Promise<void>;
}

/** What the client of Kafka has given, for those who have to give it back. */
const RAW = new WeakMap<KafkaMessage, Message>();

export function toKafkaMessage(raw: Message, topic: string, commit: () => Promise<void>): KafkaMessage {
  const message: KafkaMessage = {
    topic,
    partition: raw.partition,
    offset: raw.offset,
    timestamp: new Date(Number(raw.timestamp)),
    key: raw.key ?? undefined,
    value: raw.value ?? null,
    headers: new Map(raw.headerEntries.map(([name, content]) => [name.toString(), content])),
    commit,
  };
  RAW.set(message, raw);
  return message;
}

/** @throws {TypeError} when it was not consumed here */
export function rawOf(message: KafkaMessage): Message {
  const raw = RAW.get(message);
  if (raw === undefined) {
    throw new TypeError('expected a message as it was consumed');
  }
  return raw;
}
