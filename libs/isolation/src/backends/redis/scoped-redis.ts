import { BufferedSubscription, type SubscribeLimits } from '../buffered-subscription.js';
import { KeyCommands } from './commands/key-commands.js';
import {
  requireSome,
  toArgument,
  toNumber,
  type CommandIssuer,
  type OwnKey,
  type QueuedReply,
  type RedisInput,
} from './commands/command-issuer.js';
import { RedisBatch, type BatchReplies, type BuildBatch } from './redis-batch.js';
import type { RedisArgument, ReplyForm } from './redis-link.js';
import { scanPage, type ScanCursor, type ScanOptions, type ScanPage } from './redis-scan.js';
import type { RedisScope } from './redis-scope.js';
import { ChannelSource, type RedisSubscription, type SubscriptionTarget } from './redis-subscription.js';

/**
 * A client of one namespace's keys and channels. It has no command that names a key without its namespace, runs a script,
 * or sends what the caller has put together. It serves one piece of work on a connection, and leaves that as it was.
 *
 * Replies have texts, of UTF-8; those of `bytes` have Buffers instead.
 */
export class ScopedRedis<V extends string | Buffer = string> extends KeyCommands<'sent', V> implements AsyncDisposable {
  readonly #scope: RedisScope;
  readonly #form: ReplyForm;

  constructor(scope: RedisScope, form: ReplyForm) {
    super(new Sender(scope, form));
    this.#scope = scope;
    this.#form = form;
  }

  /** The same client, with bytes in its replies. */
  get bytes(): ScopedRedis<Buffer> {
    return new ScopedRedis<Buffer>(this.#scope, 'bytes');
  }

  /** How many received the message, as far as the server that it was sent to knows. */
  async publish(channel: string, message: RedisInput): Promise<number> {
    const args = ['PUBLISH', this.#scope.keys.apply(channel, 'channel'), toArgument(message)];
    return toNumber(await this.#scope.send(args, this.#form));
  }

  /** Messages to a channel of the namespace, from when this resolves. */
  async subscribe(channel: string, limits?: SubscribeLimits): Promise<RedisSubscription<V>> {
    const name = this.#scope.keys.apply(channel, 'channel');
    return this.#subscribe({ kind: 'channel', name }, limits);
  }

  /** Messages to all channels of the namespace, from when this resolves. */
  async subscribeAll(limits?: SubscribeLimits): Promise<RedisSubscription<V>> {
    // What other namespaces are sent is left out when it arrives.
    const name = this.#scope.keys.tenantPattern;
    return this.#subscribe({ kind: 'pattern', name }, limits);
  }

  /**
   * Does what `build` queues with nothing in between, and gives the replies that it returns.
   *
   * ```ts
   * const [count, name] = await redis.transaction((batch) => [batch.incrBy('visits'), batch.get('name')]);
   * ```
   *
   * @throws {ErrorReply} of the first command that the server rejects; the others are done nevertheless
   */
  async transaction<const Q extends readonly QueuedReply<unknown>[]>(
    build: BuildBatch<V, Q>,
  ): Promise<BatchReplies<Q>> {
    this.#requireNotWatching();
    const replies = await this.#execute(build);
    if (replies === undefined) {
      throw new Error('a transaction without watched keys was not done');
    }
    return replies;
  }

  /**
   * Watches keys while `decide` looks at them, then does what the function that it returns queues, provided that none of
   * the keys has changed. Undefined when one has: nothing was done then, and the caller may try again. Nothing is done
   * either when `decide` throws.
   */
  async watch<const Q extends readonly QueuedReply<unknown>[]>(
    keys: readonly string[],
    decide: () => Promise<BuildBatch<V, Q>>,
  ): Promise<BatchReplies<Q> | undefined> {
    this.#requireNotWatching();
    const { link } = this.#scope;
    const args = requireSome(keys).map((key) => this.#scope.keys.apply(key));
    link.isWatching = true;
    try {
      await this.#scope.send(['WATCH', ...args], this.#form);
      return await this.#execute(await decide());
    } catch (error) {
      await this.#unwatch();
      throw error;
    }
  }

  /** The keys of the namespace; one that is there all the time comes at least once. */
  async *scan(options: ScanOptions = {}): AsyncGenerator<string, void, undefined> {
    let cursor: ScanCursor | undefined;
    do {
      const { keys, next } = await scanPage(this.#scope, options, cursor);
      using _page = this.#scope.context.hold(keys.reduce((bytes, key) => bytes + key.length, 0));
      yield* keys;
      cursor = next;
    } while (cursor !== undefined);
  }

  /** A part of what {@link scan} gives, for callers who come back for the next. */
  async scanPage(cursor?: ScanCursor, options: ScanOptions = {}): Promise<ScanPage> {
    return scanPage(this.#scope, options, cursor);
  }

  /** Ends subscriptions; from then on the client rejects everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scope[Symbol.asyncDispose]();
  }

  #subscribe(target: SubscriptionTarget, limits?: SubscribeLimits): Promise<RedisSubscription<V>> {
    return BufferedSubscription.open(this.#scope, new ChannelSource<V>(this.#scope, target, this.#form), limits);
  }

  async #execute<Q extends readonly QueuedReply<unknown>[]>(
    build: BuildBatch<V, Q>,
  ): Promise<BatchReplies<Q> | undefined> {
    const batch = new RedisBatch<V>(this.#scope.keys);
    const wanted = build(batch);
    const replies = await this.#scope.transact(batch.commands, this.#form);
    return replies && (wanted.map((queued) => batch.resolve(queued, replies)) as BatchReplies<Q>);
  }

  /** Another transaction on the same connection would end the watching. */
  #requireNotWatching(): void {
    if (this.#scope.link.isWatching) {
      throw new Error('keys are watched: expected that to end before another transaction');
    }
  }

  async #unwatch(): Promise<void> {
    const { link } = this.#scope;
    if (link.isWatching) {
      await link.send(['UNWATCH'], this.#form).then(
        () => (link.isWatching = false),
        () => {}, // the connection stays unusable
      );
    }
  }
}

/** Sends commands at once. */
class Sender implements CommandIssuer<'sent'> {
  constructor(
    private readonly scope: RedisScope,
    private readonly form: ReplyForm,
  ) {}

  async issue<T>(build: (own: OwnKey) => readonly RedisArgument[], decode: (reply: unknown) => T): Promise<T> {
    const args = build((name) => this.scope.keys.apply(name));
    return decode(await this.scope.send(args, this.form));
  }
}
