import { IsObject } from 'class-validator';
import { MayBeAbsent } from '@palisade/platform';

export class QueryBody {
  /** The values of the statement's parameters, by name. */
  @MayBeAbsent()
  @IsObject()
  readonly values: Readonly<Record<string, unknown>> = {};
}

export interface QueryResponse {
  readonly rows: readonly unknown[];
  /** Number of rows returned or changed. */
  readonly row_count: number;
}
