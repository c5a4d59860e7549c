/**
 * Runs a task for each item, at most `limit` at a time, and gives the results in the order of the items.
 *
 * @throws what the first task to fail has thrown; no further task is started then
 */
export async function mapParallel<T, R>(
  items: Iterable<T>,
  limit: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const queue = [...items].entries();
  const results: R[] = [];
  let isFailed = false;
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (isFailed) {
        return;
      }
      try {
        results[index] = await task(item);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
