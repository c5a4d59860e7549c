import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { IsText } from '../validation/is-text.decorator.js';
import { MayBeAbsent } from '../validation/may-be-absent.decorator.js';

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1000;
const CURSOR_EXAMPLE = 'WyJhY21lLWVudHJhIl0';

/** Describes the `next_cursor` of a page in the API pages. */
export function ApiNextCursor(): PropertyDecorator {
  return ApiPropertyOptional({
    description: '`cursor` of the next page; absent when this is the last one.',
    example: CURSOR_EXAMPLE,
  });
}

export class PageLimit {
  @ApiPropertyOptional({
    description: 'Items per page.',
    type: 'integer',
    default: DEFAULT_PAGE_SIZE,
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
  })
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE_SIZE)
  readonly limit: number = DEFAULT_PAGE_SIZE;
}

/** Of what is only ever added, with a sequence number. */
export class SequencePageParameters extends PageLimit {
  @ApiPropertyOptional({
    description: 'Items with a higher sequence number: `next_after` of the page before.',
    type: 'integer',
    default: 0,
    minimum: 0,
  })
  @MayBeAbsent()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly after: number = 0;
}

export class PageParameters extends PageLimit {
  @ApiPropertyOptional({
    description: '`next_cursor` of the page before; leave it out for the first.',
    example: CURSOR_EXAMPLE,
  })
  @MayBeAbsent()
  @IsText(2000)
  readonly cursor?: string;
}
