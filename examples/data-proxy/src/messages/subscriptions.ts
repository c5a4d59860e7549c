import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { IsolationClosedError } from '@palisade/isolation';

/** What ends subscriptions when the app shuts down: they would last as long as their clients do. */
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
