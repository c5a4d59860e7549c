import type { ProviderId, ResourceType } from '../identifiers.js';
import { DomainError } from './domain.error.js';

/** No resource of this type in this provider has the identifier or external id; another provider's never counts. */
export class ResourceNotFoundError extends DomainError {
  override readonly name = 'ResourceNotFoundError';
  readonly code = 'RESOURCE_NOT_FOUND';

  constructor(
    readonly provider: ProviderId,
    readonly type: ResourceType,
    readonly reference: string,
  ) {
    super(`${type} ${JSON.stringify(reference.slice(0, 300))} does not exist in provider "${provider}"`);
  }
}
