import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { IsolationClosedError } from '@palisade/isolation';

/** Ends all subscriptions when the app shuts down: otherwise they would last as long as their clients. */
@Injectable()
export class Subscriptions implements OnModuleDestroy {
  readonly #closing = new AbortController();

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  onModuleDestroy(): void {
    this.#closing.abort(new IsolationClosedError(0));
  }
}
