import { runInNewContext } from 'node:vm';

/** Long enough for any machine; what goes back and forth in a long text would need minutes. */
export const HANG_MS = 20_000;

/**
 * Does synchronous work, and ends it when it hangs, which the time limit of a test cannot.
 *
 * @throws {Error} when it has not ended in time, and whatever the work throws
 */
export function runWithin<T>(ms: number, work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: ms }) as T;
}
