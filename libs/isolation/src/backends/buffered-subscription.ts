import { onAbort } from '@palisade/async';
import { MessageBuffer, type MessageBufferLimits } from './message-buffer.js';
import type { PieceOfWork } from './piece-of-work.js';

/** How much may wait for the consumer; more ends the subscription with a SlowConsumerError. */
export type SubscribeLimits = Partial<MessageBufferLimits>;

const DEFAULT_LIMITS: MessageBufferLimits = { maxMessages: 1_000, maxBytes: 8 * 1024 * 1024 };

/** Where messages come from. */
export interface MessageSource<T> {
  /** Puts messages into the buffer as they come, and ends it when no more can. Resolves when they are coming. */
  start(buffer: MessageBuffer<T>): Promise<void>;

  /** Resolves when no more come. Called once, also when the start has failed. */
  stop(): Promise<void>;
}

/**
 * Messages as they come, each to whoever asks next. It ends when its consumer leaves the loop, when it is disposed of, and
 * with the work; with an error when the connection is lost, the work aborted, or the consumer too slow.
 */
export class BufferedSubscription<T> implements AsyncIterable<T>, AsyncDisposable {
  readonly #work: PieceOfWork;
  readonly #source: MessageSource<T>;
  readonly #buffer: MessageBuffer<T>;
  readonly #listening: Disposable;
  #stopping: Promise<void> | undefined = undefined;

  private constructor(work: PieceOfWork, source: MessageSource<T>, limits: SubscribeLimits) {
    this.#work = work;
    this.#source = source;
    this.#buffer = new MessageBuffer({
      ...DEFAULT_LIMITS,
      ...limits,
      hold: (bytes) => work.context.hold(bytes),
      onEnd: () => {
        this.#stopping = this.#stop(); // never rejects
      },
    });
    const { signal } = work.context;
    this.#listening = onAbort(signal, () => this.#buffer.end(signal.reason));
    work.begin(this);
  }

  /** Resolves when messages are coming. */
  static async open<T>(
    work: PieceOfWork,
    source: MessageSource<T>,
    limits: SubscribeLimits = {},
  ): Promise<BufferedSubscription<T>> {
    work.requireUnderWay();
    const subscription = new BufferedSubscription(work, source, limits);
    try {
      await source.start(subscription.#buffer);
      return subscription;
    } catch (error) {
      await subscription[Symbol.asyncDispose]();
      throw error;
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return this.#buffer;
  }

  /** Resolves when no more messages come. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#buffer.return();
    await this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#listening[Symbol.dispose]();
    try {
      await this.#source.stop();
    } catch {
      // The connection is lost, or not as it was, which the pool notices.
    }
    this.#work.forget(this);
  }
}
