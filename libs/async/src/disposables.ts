/** Disposes of what it holds, the newest first, and can then hold more. Node.js 22 has no `DisposableStack`. */
export class Disposables implements Disposable {
  #held: Disposable[] = [];

  use<T extends Disposable>(resource: T): T {
    this.#held.push(resource);
    return resource;
  }

  [Symbol.dispose](): void {
    const held = this.#held;
    this.#held = [];
    held.reverse().forEach((resource) => resource[Symbol.dispose]());
  }
}
