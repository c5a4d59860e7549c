import { Injectable } from '@nestjs/common';
import type { ProviderId } from '@palisade/domain';
import { ProviderBusyError } from './provider-busy.error.js';

/** Half of the connections to the database: a provider that sends too much leaves as many to all others. */
const MAX_ACTIVE = 5;
const MAX_QUEUED = 200;
/** Identity providers count a 429 as a failure, so a request rather waits; half a minute is half of their time-out. */
const MAX_WAIT_MS = 30_000;

interface Waiter {
  readonly start: () => void;
  readonly deadline: NodeJS.Timeout;
}

interface Share {
  active: number;
  readonly queue: Waiter[];
}

/**
 * How much of the service one provider may use: five SCIM requests at a time, in order of arrival; 200 more wait for up
 * to half a minute. A provider without requests takes no memory. Counts in this process only.
 */
@Injectable()
export class ProviderShares {
  private readonly shares = new Map<ProviderId, Share>();

  /** Providers that have requests under way. */
  get size(): number {
    return this.shares.size;
  }

  /** @throws {ProviderBusyError} when too many wait already, or the wait takes too long */
  async acquire(provider: ProviderId): Promise<Disposable> {
    const share = this.shares.get(provider) ?? { active: 0, queue: [] };
    this.shares.set(provider, share);
    if (share.active < MAX_ACTIVE) {
      share.active += 1;
    } else {
      await waitIn(share, provider);
    }
    return { [Symbol.dispose]: () => this.release(provider, share) };
  }

  private release(provider: ProviderId, share: Share): void {
    const next = share.queue.shift();
    if (next !== undefined) {
      // The place passes from one to the next, so nobody who comes now can take it.
      clearTimeout(next.deadline);
      next.start();
      return;
    }
    share.active -= 1;
    if (share.active === 0) {
      this.shares.delete(provider);
    }
  }
}

function waitIn({ queue }: Share, provider: ProviderId): Promise<void> {
  if (queue.length >= MAX_QUEUED) {
    throw new ProviderBusyError(provider, queue.length);
  }
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => {
      queue.splice(queue.indexOf(waiter), 1);
      reject(new ProviderBusyError(provider, queue.length));
    }, MAX_WAIT_MS);
    const waiter: Waiter = { start: resolve, deadline };
    queue.push(waiter);
  });
}
