import { IsObject } from 'class-validator';
import { MayBeAbsent } from '@palisade/platform';

export class QueryBody {
  /** Of the statement's parameters, by name. */
  @MayBeAbsent()
  @IsObject()
  readonly values: Readonly<Record<string, unknown>> = {};
}

export interface QueryResponse {
  readonly rows: readonly unknown[];
  /** Rows that were returned, or changed. */
  readonly row_count: number;
}
