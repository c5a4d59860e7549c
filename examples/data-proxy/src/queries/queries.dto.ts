import { AnyObject } from '@palisade/platform';

export class QueryBody {
  @AnyObject("The values of the statement's parameters, by name.", { default: {} })
  readonly values: Readonly<Record<string, unknown>> = {};
}

export interface QueryResponse {
  readonly rows: readonly unknown[];
  /** Number of rows returned or changed. */
  readonly row_count: number;
}
