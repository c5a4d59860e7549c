import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 5;

/** Resolves when the condition holds. @throws {Error} when it does not come to hold in time */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 60_000,
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`${what}: not within ${withinMs} ms`);
    }
    await sleep(POLL_MS);
  }
}
