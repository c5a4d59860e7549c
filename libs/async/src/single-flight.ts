/** Lets callers that ask for the same thing at the same time share one answer. */
export class SingleFlight<K, T> {
  private readonly underWay = new Map<K, Promise<T>>();

  /** What the load for this key gives that is under way, else that of a new one. */
  run(key: K, load: () => Promise<T>): Promise<T> {
    const known = this.underWay.get(key);
    if (known !== undefined) {
      return known;
    }
    const loading = load().finally(() => this.underWay.delete(key));
    this.underWay.set(key, loading);
    return loading;
  }
}
