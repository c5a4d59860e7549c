import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;

/** Resolves when the condition holds; the time limit of the test ends what never comes true. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    // Nothing tells when what other processes do is done.
    await sleep(POLL_MS);
  }
}
