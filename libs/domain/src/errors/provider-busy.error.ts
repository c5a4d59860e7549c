import type { ProviderId } from '../identifiers.js';
import { DomainError } from './domain.error.js';

/** The provider has more operations under way than its share of the store; this one was not started. */
export class ProviderBusyError extends DomainError {
  override readonly name = 'ProviderBusyError';
  readonly code = 'PROVIDER_BUSY';
  readonly retryAfterSeconds = 5;

  constructor(
    readonly provider: ProviderId,
    readonly queued: number,
    options?: ErrorOptions,
  ) {
    super(`provider "${provider}" has too many requests under way (${queued} waiting), retry in 5 s`, options);
  }
}
