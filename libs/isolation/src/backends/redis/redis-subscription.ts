import type { BufferedSubscription, MessageSource } from '../buffered-subscription.js';
import type { MessageBuffer } from '../message-buffer.js';
import type { MessageListener, RedisLink, ReplyForm } from './redis-link.js';
import type { RedisScope } from './redis-scope.js';

export interface RedisMessage<V> {
  /** As the namespace calls it. */
  readonly channel: string;
  readonly message: V;
}

export type RedisSubscription<V> = BufferedSubscription<RedisMessage<V>>;

/** To what a subscription is made, on the server's side. */
export interface SubscriptionTarget {
  readonly kind: 'channel' | 'pattern';
  readonly name: string;
}

/** Messages to channels of a namespace. */
export class ChannelSource<V> implements MessageSource<RedisMessage<V>> {
  readonly #scope: RedisScope;
  readonly #target: SubscriptionTarget;
  readonly #form: ReplyForm;
  #listener: MessageListener = () => {};
  #stopListening = () => {};

  constructor(scope: RedisScope, target: SubscriptionTarget, form: ReplyForm) {
    this.#scope = scope;
    this.#target = target;
    this.#form = form;
  }

  async start(buffer: MessageBuffer<RedisMessage<V>>): Promise<void> {
    const { link, keys } = this.#scope;
    const { kind, name } = this.#target;
    this.#listener = (bytes, serverChannel) => {
      const channel = keys.strip(serverChannel);
      if (channel !== undefined) {
        const message = (this.#form === 'bytes' ? bytes : bytes.toString()) as V;
        buffer.push({ channel, message }, bytes.length);
      }
    };
    this.#stopListening = link.onEnd((reason) => buffer.end(reason));
    await this.#scope.answer([name], () => START[kind](link, name, this.#listener));
  }

  async stop(): Promise<void> {
    const { kind, name } = this.#target;
    this.#stopListening();
    await STOP[kind](this.#scope.link, name, this.#listener);
  }
}

type Change = (link: RedisLink, name: string, listener: MessageListener) => Promise<void>;

const START: Record<SubscriptionTarget['kind'], Change> = {
  channel: (link, name, listener) => link.subscribe(name, listener),
  pattern: (link, name, listener) => link.subscribePattern(name, listener),
};

const STOP: Record<SubscriptionTarget['kind'], Change> = {
  channel: (link, name, listener) => link.unsubscribe(name, listener),
  pattern: (link, name, listener) => link.unsubscribePattern(name, listener),
};
