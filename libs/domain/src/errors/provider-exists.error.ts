import type { ProviderId } from '../identifiers.js';
import { DomainError } from './domain.error.js';

/** A provider with this id exists already. */
export class ProviderExistsError extends DomainError {
  override readonly name = 'ProviderExistsError';
  readonly code = 'PROVIDER_EXISTS';

  constructor(readonly provider: ProviderId) {
    super(`provider "${provider}" exists already`);
  }
}
