import { DomainError, type ProviderId } from '@palisade/domain';

/** The provider has more requests under way than its share of the service; this one was not started. */
export class ProviderBusyError extends DomainError {
  override readonly name = 'ProviderBusyError';
  readonly code = 'PROVIDER_BUSY';
  readonly retryAfterSeconds = 5;

  constructor(
    readonly provider: ProviderId,
    readonly queued: number,
  ) {
    super(`provider "${provider}" has too many requests under way (${queued} waiting), retry in 5 s`);
  }
}
