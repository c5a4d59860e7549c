import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { onAbort } from '@palisade/async';
import { ProviderBusyError, parseNamespaceId, type ProviderId } from '@palisade/domain';
import { NamespacePools, PoolExhaustedError, PoolTimeoutError } from '@palisade/isolation/postgres';

/** What a page holds in memory until it is sent is a few MiB; this bounds the sum. */
const MAX_TOTAL = 18;
const MAX_PER_PROVIDER = 6;
const MAX_QUEUED = 200;
const MAX_WAIT_MS = 30_000;

/**
 * Admits reads whose answers may be large, from before anything is read until the answer is sent: a few of each provider,
 * fairly, and a bounded number of all. So clients that read slowly hold up nobody but their own provider.
 */
@Injectable()
export class LargeReads implements OnApplicationShutdown {
  private readonly slots = new NamespacePools<object>({
    name: 'large reads',
    driver: { connect: async () => ({}), isUsable: () => true, close: async () => {} },
    maxTotal: MAX_TOTAL,
    maxPerNamespace: MAX_PER_PROVIDER,
    maxQueued: MAX_QUEUED,
    acquireTimeoutMs: MAX_WAIT_MS,
  });

  /**
   * Resolves when a read may begin, which lasts until the signal aborts.
   *
   * @throws {ProviderBusyError} when the provider has too many under way and waiting
   * @throws the reason of `ended` when it aborts first
   */
  async begin(provider: ProviderId, ended: AbortSignal): Promise<void> {
    try {
      const slot = await this.slots.acquire(parseNamespaceId(provider), ended);
      onAbort(ended, () => slot.release());
    } catch (error) {
      if (error instanceof PoolExhaustedError || error instanceof PoolTimeoutError) {
        throw new ProviderBusyError(provider, MAX_QUEUED, { cause: error });
      }
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.slots.destroy();
  }
}
