/** One difference between what is and what should be. */
export interface Change {
  readonly description: string;
  /** What removes it; absent when nobody but a person should. */
  readonly statement?: string;
}
