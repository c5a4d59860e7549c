/** In a text; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}
