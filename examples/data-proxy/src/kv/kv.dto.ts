import { MayBeAbsent } from '@palisade/platform';
import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

const MAX_TTL_MS = 365 * 24 * 3600 * 1000;

export class PutValueQuery {
  /** Time until the key expires, in milliseconds. By default it never does. */
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_TTL_MS)
  readonly ttl_ms?: number;
}
