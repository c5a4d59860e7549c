import { MayBeAbsent } from '@palisade/platform';
import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

const MAX_TIMEOUT_MS = 60_000;

export class RequestQuery {
  /** How long to wait for the reply, in milliseconds. Default 2,000. */
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_TIMEOUT_MS)
  readonly timeout_ms?: number;
}
