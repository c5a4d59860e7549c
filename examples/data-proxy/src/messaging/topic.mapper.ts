import type { KafkaMessage, KafkaPosition } from '@palisade/isolation/kafka';
import { toWireData } from '../http/wire-data.js';
import type { ConsumeResponse, MessageResponse, ProduceResponse } from './topics.dto.js';

export function toProduceResponse(positions: readonly KafkaPosition[]): ProduceResponse {
  return { positions: positions.map(({ partition, offset }) => ({ partition, offset: String(offset) })) };
}

export function toConsumeResponse(messages: readonly KafkaMessage[]): ConsumeResponse {
  return { messages: messages.map(toMessage) };
}

function toMessage({ partition, offset, timestamp, key, value }: KafkaMessage): MessageResponse {
  return {
    partition,
    offset: String(offset),
    timestamp: timestamp.toISOString(),
    ...(key === undefined ? {} : { key: toWireData(key) }),
    value: value === null ? null : toWireData(value),
  };
}
