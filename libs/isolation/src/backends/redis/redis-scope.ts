import { ErrorReply } from './redis-package.js';
import type { ScopeContext } from '../backend-driver.js';
import { PieceOfWork } from '../piece-of-work.js';
import type { KeySpace } from './key-space.js';
import type { RedisArgument, RedisLink, ReplyForm } from './redis-link.js';
import type { PrivilegedLinks } from '../privileged-links.js';

/** One piece of work on a connection: what its clients have in common, in whatever form they want their replies. */
export class RedisScope extends PieceOfWork {
  constructor(
    context: ScopeContext,
    readonly link: RedisLink,
    readonly keys: KeySpace,
    readonly scanners: PrivilegedLinks<RedisLink> | undefined,
  ) {
    super(context);
  }

  async send(args: readonly RedisArgument[], form: ReplyForm): Promise<unknown> {
    return this.answer(args, () => this.link.send(args, form));
  }

  /** The reply to a command that is sent by `start`; what is sent and received is accounted for. */
  async answer<T>(args: readonly RedisArgument[], start: () => Promise<T>): Promise<T> {
    this.requireUnderWay();
    using _sent = this.context.hold(sizeOf(args));
    const reply = await this.unlessAborted(start());
    using _received = this.context.hold(sizeOf(reply));
    return reply;
  }

  /**
   * Sends commands as one transaction. Their replies, or undefined when a watched key has changed: then nothing was done.
   *
   * @throws {ErrorReply} of the first command that the server rejects; those of the others that it accepts are done
   */
  async transact(commands: readonly (readonly RedisArgument[])[], form: ReplyForm): Promise<unknown[] | undefined> {
    const replies = await this.answer(commands.flat(), async () => {
      const sent = [['MULTI'], ...commands, ['EXEC']].map((args) => this.link.send(args, form));
      this.link.isWatching = false;
      const settled = await Promise.allSettled(sent);
      const rejected = settled.find(({ status }) => status === 'rejected');
      if (rejected?.status === 'rejected') {
        throw rejected.reason;
      }
      return sent.at(-1);
    });
    if (!Array.isArray(replies)) {
      return undefined;
    }
    const failure: unknown = replies.find((reply) => reply instanceof ErrorReply);
    if (failure !== undefined) {
      throw failure;
    }
    return replies;
  }

  /** Also waits for the replies that nobody waits for any more, unless the work was aborted. */
  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    if (!this.context.signal.aborted) {
      await this.link.settled();
    }
  }
}

/** Roughly the bytes that commands or replies hold. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Buffer.isBuffer(value)) {
    return value.length;
  }
  if (Array.isArray(value) || value instanceof Map) {
    let bytes = 0;
    for (const part of value) {
      bytes += sizeOf(part);
    }
    return bytes;
  }
  return 0;
}
