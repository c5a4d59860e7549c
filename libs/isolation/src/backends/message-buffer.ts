import { Link, LinkedList } from '../collections/linked-list.js';
import { SlowConsumerError } from './backend.errors.js';

export interface MessageBufferLimits {
  /** Messages that may wait to be consumed. */
  readonly maxMessages: number;
  /** Bytes of all of them together. */
  readonly maxBytes: number;
}

export interface MessageBufferOptions extends MessageBufferLimits {
  /** Accounts for bytes until they are disposed of; when it throws, the buffer ends with that. */
  readonly hold: (bytes: number) => Disposable;
  /** Called once when nothing more is taken in: the consumer has left, or {@link MessageBuffer.end} was called. */
  readonly onEnd: () => void;
}

interface Waiting<T> {
  readonly message: T;
  readonly bytes: number;
  readonly held: Disposable;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Messages between a connection, which cannot wait, and their consumer. It is bounded: a message too many ends it, so that
 * a consumer gets every message up to some point and then a SlowConsumerError, and never a gap it does not know of.
 */
export class MessageBuffer<T> implements AsyncIterableIterator<T, undefined> {
  readonly #options: MessageBufferOptions;
  readonly #waiting = new LinkedList<Waiting<T>>();
  readonly #consumers = new LinkedList<PromiseWithResolvers<IteratorResult<T, undefined>>>();
  #bytes = 0;
  #isEnded = false;
  #error: { readonly value: unknown } | undefined = undefined;

  constructor(options: MessageBufferOptions) {
    this.#options = options;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Ignored once the buffer has ended. */
  push(message: T, bytes: number): void {
    if (this.#isEnded) {
      return;
    }
    const consumer = this.#consumers.first;
    if (consumer !== undefined) {
      this.#consumers.remove(consumer);
      consumer.value.resolve({ done: false, value: message });
      return;
    }
    const { maxMessages, maxBytes, hold } = this.#options;
    if (this.#waiting.length >= maxMessages || this.#bytes + bytes > maxBytes) {
      this.end(new SlowConsumerError(this.#waiting.length, this.#bytes));
      return;
    }
    try {
      this.#waiting.push(new Link({ message, bytes, held: hold(bytes) }));
      this.#bytes += bytes;
    } catch (error) {
      this.end(error);
    }
  }

  /** Takes nothing more in. What waits is still consumed; then comes the error, if there is one. */
  end(error?: unknown): void {
    if (this.#isEnded) {
      return;
    }
    this.#isEnded = true;
    this.#error = error === undefined ? undefined : { value: error };
    this.#options.onEnd();
    for (let consumer = this.#consumers.first; consumer !== undefined; consumer = this.#consumers.first) {
      this.#consumers.remove(consumer);
      this.#finish(consumer.value);
    }
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const waiting = this.#waiting.first;
    if (waiting !== undefined) {
      this.#drop(waiting);
      return Promise.resolve({ done: false, value: waiting.value.message });
    }
    const consumer = Promise.withResolvers<IteratorResult<T, undefined>>();
    if (this.#isEnded) {
      this.#finish(consumer);
    } else {
      this.#consumers.push(new Link(consumer));
    }
    return consumer.promise;
  }

  /** The consumer leaves: what waits is dropped. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.#error = undefined;
    this.end();
    for (let waiting = this.#waiting.first; waiting !== undefined; waiting = this.#waiting.first) {
      this.#drop(waiting);
    }
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #drop(waiting: Link<Waiting<T>>): void {
    this.#waiting.remove(waiting);
    this.#bytes -= waiting.value.bytes;
    waiting.value.held[Symbol.dispose]();
  }

  /** The error is told once. */
  #finish({ resolve, reject }: PromiseWithResolvers<IteratorResult<T, undefined>>): void {
    const error = this.#error;
    this.#error = undefined;
    if (error === undefined) {
      resolve(DONE);
    } else {
      reject(error.value);
    }
  }
}
