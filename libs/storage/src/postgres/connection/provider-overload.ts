import { ProviderBusyError, type ProviderId } from '@palisade/domain';
import { PoolExhaustedError, PoolTimeoutError } from '@palisade/isolation/postgres';

/**
 * What it means that the pool of a provider gave no connection, when that is the provider's own doing: too many of its
 * operations waited, or all of the connections that it may have were in use for too long. Undefined for any other error.
 */
export function toProviderBusy(error: unknown, provider: ProviderId): ProviderBusyError | undefined {
  if (error instanceof PoolExhaustedError && error.bound === 'queued') {
    return new ProviderBusyError(provider, error.max, { cause: error });
  }
  if (error instanceof PoolTimeoutError && error.pool.active >= error.pool.max) {
    return new ProviderBusyError(provider, error.pool.queued, { cause: error });
  }
  return undefined;
}
