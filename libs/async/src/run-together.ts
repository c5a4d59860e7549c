/**
 * Runs tasks until all have ended. When one ends, the signal of all aborts, as it does with `signal`.
 *
 * @throws what the first of them to fail has thrown
 */
export async function runTogether(
  signal: AbortSignal,
  ...tasks: readonly ((signal: AbortSignal) => Promise<void>)[]
): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort(signal.reason);
  signal.addEventListener('abort', end);
  if (signal.aborted) {
    end();
  }
  const failures: unknown[] = [];
  const run = async (task: (typeof tasks)[number]): Promise<void> => {
    try {
      await task(ending.signal);
    } catch (error) {
      failures.push(error);
    } finally {
      end();
    }
  };
  await Promise.all(tasks.map(run));
  signal.removeEventListener('abort', end);
  if (failures.length > 0) {
    throw failures[0];
  }
}
