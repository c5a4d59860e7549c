import { DomainError } from './domain.error.js';

/** No provider has this id. */
export class ProviderNotFoundError extends DomainError {
  override readonly name = 'ProviderNotFoundError';
  readonly code = 'PROVIDER_NOT_FOUND';

  constructor(readonly provider: string) {
    super(`provider ${JSON.stringify(provider.slice(0, 80))} does not exist`);
  }
}
