/** What `parse` returns; undefined when it throws an `expected` error. */
export function unlessThrown<T>(expected: new (...parameters: never[]) => Error, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof expected) {
      return undefined;
    }
    throw error;
  }
}
