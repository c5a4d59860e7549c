/** Stands before each step of a change that cannot be taken back. */
export interface Fence {
  /** @throws {SupersededError} when whoever makes the change does not lead any more */
  check(): Promise<void>;
}
