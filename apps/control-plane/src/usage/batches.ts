interface Item<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (reason: unknown) => void;
}

/** Does work for several items at once: those that come while it is under way are the next batch, `maxItems` at most. */
export class Batches<T, R> {
  private waiting: Item<T, R>[] = [];
  private isUnderWay = false;

  /** @param work resolves to a result for each item, in their order */
  constructor(
    private readonly work: (items: readonly T[]) => Promise<readonly R[]>,
    private readonly maxItems: number,
  ) {}

  /** Rejects with what the work of the whole batch rejected with. */
  add(item: T): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    this.waiting.push({ item, resolve, reject });
    if (!this.isUnderWay) {
      void this.run(); // never rejects
    }
    return promise;
  }

  private async run(): Promise<void> {
    this.isUnderWay = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.maxItems);
      try {
        const results = await this.work(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(results[index] as R));
      } catch (error) {
        batch.forEach(({ reject }) => reject(error));
      }
    }
    this.isUnderWay = false;
  }
}
