import type { ResourceType } from '../identifiers.js';
import { DomainError } from './domain.error.js';

/** Another resource of the provider already has this value of an attribute that must be unique; nothing was stored. */
export class UniquenessError extends DomainError {
  override readonly name = 'UniquenessError';
  readonly code = 'UNIQUENESS';

  constructor(
    readonly type: ResourceType,
    readonly attribute: 'id' | 'externalId' | 'userName' | 'displayName',
    readonly value: string,
  ) {
    super(`another ${type} of this provider already has ${attribute} ${JSON.stringify(value.slice(0, 300))}`);
  }
}
