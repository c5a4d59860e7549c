import { DomainError } from '../domain.error.js';
import type { ProviderId } from '../identifiers.js';

/** A provider with this id exists already. */
export class ProviderExistsError extends DomainError {
  readonly code = 'PROVIDER_EXISTS';

  constructor(readonly provider: ProviderId) {
    super(`provider "${provider}" exists already`);
  }
}

/** No provider has this id. */
export class ProviderNotFoundError extends DomainError {
  readonly code = 'PROVIDER_NOT_FOUND';

  constructor(readonly provider: string) {
    super(`provider ${JSON.stringify(provider.slice(0, 80))} does not exist`);
  }
}

/** The provider has more operations under way than its share of the store; this one was not started. */
export class ProviderBusyError extends DomainError {
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
