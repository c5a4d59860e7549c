import { Flag, Integer, List } from '@palisade/platform';
import { Transform } from 'class-transformer';
import { IsString, MaxLength, ValidateIf } from 'class-validator';
import type { WireData } from '../http/wire-data.js';

const MAX_RECORDS = 1000;
const MAX_KEY_LENGTH = 1024;
const MAX_VALUE_LENGTH = 1_000_000;
const MAX_WAIT_MS = 30_000;

/** Keys and values are the application's: unlike other texts, they may be empty and contain any characters. */
export class TopicRecord {
  @ValidateIf((_, key: unknown) => key !== undefined)
  @IsString()
  @MaxLength(MAX_KEY_LENGTH)
  readonly key?: string;

  @IsString()
  @MaxLength(MAX_VALUE_LENGTH)
  readonly value!: string;
}

export class ProduceBody {
  @List('Records, in order.', TopicRecord, { maxItems: MAX_RECORDS })
  readonly records!: readonly TopicRecord[];
}

export class ConsumeQuery {
  /** Consumers of the same group share the messages. */
  @IsString()
  readonly group!: string;

  @Integer('Messages at most.', { default: 100, minimum: 1, maximum: MAX_RECORDS, inQuery: true })
  readonly max: number = 100;

  @Integer('How long to wait for the first message, and after each message for the next.', {
    default: 2000,
    minimum: 1,
    maximum: MAX_WAIT_MS,
    inQuery: true,
  })
  readonly wait_ms: number = 2000;

  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @Flag('Whether to commit the messages, so that the group continues after them.', { default: true })
  readonly commit: boolean = true;
}

export interface ProduceResponse {
  /** The position of the first record in each partition. */
  readonly positions: readonly { readonly partition: number; readonly offset: string }[];
}

export interface MessageResponse {
  readonly partition: number;
  /** A string, because JSON numbers cannot hold all 64 bits. */
  readonly offset: string;
  readonly timestamp: string;
  readonly key?: WireData;
  readonly value: WireData | null;
}

export interface ConsumeResponse {
  readonly messages: readonly MessageResponse[];
}
