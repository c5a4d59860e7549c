/** A value's place in a {@link LinkedList}; it is in one list at most, and can be put in and taken out again at no cost. */
export class Link<T> {
  previous: this | undefined = undefined;
  next: this | undefined = undefined;
  isListed = false;

  constructor(readonly value: T) {}
}

/** A list from which any link can be taken in constant time. */
export class LinkedList<T, L extends Link<T> = Link<T>> {
  #first: L | undefined = undefined;
  #last: L | undefined = undefined;
  #length = 0;

  get first(): L | undefined {
    return this.#first;
  }

  get last(): L | undefined {
    return this.#last;
  }

  get length(): number {
    return this.#length;
  }

  /** Puts a link that is in no list at the end. */
  push(link: L): void {
    link.isListed = true;
    link.previous = this.#last;
    if (this.#last === undefined) {
      this.#first = link;
    } else {
      this.#last.next = link;
    }
    this.#last = link;
    this.#length++;
  }

  /** Takes a link out of this list; one that is in no list stays so. */
  remove(link: L): void {
    if (!link.isListed) {
      return;
    }
    if (link.previous === undefined) {
      this.#first = link.next;
    } else {
      link.previous.next = link.next;
    }
    if (link.next === undefined) {
      this.#last = link.previous;
    } else {
      link.next.previous = link.previous;
    }
    link.isListed = false;
    link.previous = undefined;
    link.next = undefined;
    this.#length--;
  }

  /** In order; the value just given may be taken out meanwhile. */
  *values(): Generator<T, void> {
    for (let link = this.#first; link !== undefined;) {
      const { value, next } = link;
      yield value;
      link = next;
    }
  }
}
