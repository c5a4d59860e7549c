import { KeyCommands } from './commands/key-commands.js';
import {
  QueuedReply,
  toArgument,
  toNumber,
  type CommandIssuer,
  type OwnKey,
  type RedisInput,
} from './commands/command-issuer.js';
import type { KeySpace } from './key-space.js';
import type { RedisArgument } from './redis-link.js';

/** Commands that one transaction may have. */
export const MAX_BATCH = 1_000;

/** Collects commands, each with a stand-in for its reply. */
class Queue implements CommandIssuer<'queued'> {
  readonly commands: (readonly RedisArgument[])[] = [];
  readonly replies = new Map<QueuedReply<unknown>, number>();

  constructor(private readonly keys: KeySpace) {}

  issue<T>(build: (own: OwnKey) => readonly RedisArgument[], decode: (reply: unknown) => T): QueuedReply<T> {
    if (this.commands.length >= MAX_BATCH) {
      throw new RangeError(`expected at most ${MAX_BATCH} commands in a transaction`);
    }
    const reply = new QueuedReply(decode);
    const position = this.commands.push(build((name) => this.keys.apply(name))) - 1;
    this.replies.set(reply, position);
    return reply;
  }
}

/** The commands of a transaction. They are sent when it is complete, and done one after another with no others between. */
export class RedisBatch<V> extends KeyCommands<'queued', V> {
  readonly #keys: KeySpace;
  readonly #queue: Queue;

  constructor(keys: KeySpace) {
    const queue = new Queue(keys);
    super(queue);
    this.#keys = keys;
    this.#queue = queue;
  }

  /** How many received the message. */
  publish(channel: string, message: RedisInput): QueuedReply<number> {
    return this.#queue.issue(() => ['PUBLISH', this.#keys.apply(channel, 'channel'), toArgument(message)], toNumber);
  }

  get commands(): readonly (readonly RedisArgument[])[] {
    return this.#queue.commands;
  }

  /** @throws {TypeError} when the reply belongs to another transaction */
  resolve<T>(queued: QueuedReply<T>, replies: readonly unknown[]): T {
    const position = this.#queue.replies.get(queued);
    if (position === undefined) {
      throw new TypeError('expected replies of commands of this transaction');
    }
    return queued.decode(replies[position]);
  }
}

/** The replies that a transaction was asked for, as they are when it has been done. */
export type BatchReplies<Q extends readonly QueuedReply<unknown>[]> = {
  readonly [Index in keyof Q]: Q[Index] extends QueuedReply<infer T> ? T : never;
};

/** Queues what is to be done together, and says which replies are wanted. */
export type BuildBatch<V, Q extends readonly QueuedReply<unknown>[]> = (batch: RedisBatch<V>) => Q;
