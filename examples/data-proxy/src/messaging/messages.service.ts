import { Injectable } from '@nestjs/common';
import { DomainError } from '@palisade/domain';
import { Isolation } from '@palisade/isolation';
import { NatsDriver, type ScopedNats } from '@palisade/isolation/nats';
import type { Response } from 'express';
import type { Call } from '../http/call.js';
import { EventStream } from './event-stream.js';
import { toWireData } from '../http/wire-data.js';
import { Subscriptions } from './subscriptions.js';

/** Messages to the subjects of the caller's namespace. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly isolation: Isolation,
    private readonly subscriptions: Subscriptions,
  ) {}

  publish(call: Call, subject: string, data: Buffer): Promise<void> {
    return this.#run(call, 'nats.publish', subject, (nats) => nats.publish(subject, data));
  }

  /** Sends a request to the subscribers of a subject and resolves to the first reply. */
  request(call: Call, subject: string, data: Buffer, timeoutMs: number | undefined): Promise<Buffer> {
    return this.#run(call, 'nats.request', subject, async (nats) => {
      const reply = await nats.request(subject, data, { timeoutMs });
      return Buffer.from(reply.data);
    });
  }

  /**
   * Forwards the messages of a subject, or of all subjects that match a pattern, as events until the client disconnects. A
   * failure before the answer has begun is thrown; a later one becomes the last event.
   */
  async subscribe(call: Call, subject: string, response: Response): Promise<void> {
    const signal = AbortSignal.any([call.signal, this.subscriptions.closing]);
    const events = new EventStream(response, signal);
    try {
      const { caller } = call;
      const options = { signal, action: 'nats.subscribe', resource: subject, isLongLived: true };
      await this.isolation.run(caller, 'nats', NatsDriver, (nats) => forward(nats, subject, events), options);
    } catch (error) {
      if (!response.headersSent) {
        throw error;
      }
      events.end('error', describe(error));
    }
  }

  #run<T>(
    { caller, signal }: Call,
    action: string,
    resource: string,
    work: (nats: ScopedNats) => Promise<T>,
  ): Promise<T> {
    return this.isolation.run(caller, 'nats', NatsDriver, work, { signal, action, resource });
  }
}

async function forward(nats: ScopedNats, subject: string, events: EventStream): Promise<void> {
  await using messages = await nats.subscribe(subject);
  using _ = events.begin();
  await events.send('subscribed', { subject });
  for await (const message of messages) {
    await events.send('message', { subject: message.subject, data: toWireData(message.data) });
  }
}

/** The part of an error that the client may see. */
function describe(error: unknown): { readonly code: string; readonly detail?: string } {
  return error instanceof DomainError ? { code: error.code, detail: error.message } : { code: 'INTERNAL_ERROR' };
}
