import { MayBeAbsent } from '@palisade/platform';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import type { WireData } from '../http/wire-data.js';

const MAX_RECORDS = 1000;
const MAX_KEY_LENGTH = 1024;
const MAX_VALUE_LENGTH = 1_000_000;
const MAX_WAIT_MS = 30_000;

export class TopicRecord {
  @MayBeAbsent()
  @IsString()
  @MaxLength(MAX_KEY_LENGTH)
  readonly key?: string;

  @IsString()
  @MaxLength(MAX_VALUE_LENGTH)
  readonly value!: string;
}

export class ProduceBody {
  @IsArray()
  @ArrayMaxSize(MAX_RECORDS)
  @ValidateNested({ each: true })
  @Type(() => TopicRecord)
  readonly records!: readonly TopicRecord[];
}

export class ConsumeQuery {
  /** Consumers of the same group share the messages. */
  @IsString()
  readonly group!: string;

  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_RECORDS)
  readonly max: number = 100;

  /** How long to wait for the first message, and after each message for the next. */
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_WAIT_MS)
  readonly wait_ms: number = 2000;

  /** Whether to commit the messages, so that the group continues after them. */
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
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
