import { DomainError } from '@palisade/domain';

/** The servers did not take the users over; the file is as it was before. */
export class ProvisioningFailedError extends DomainError {
  override readonly name = 'ProvisioningFailedError';
  readonly code = 'PROVISIONING_FAILED';

  constructor(reason: string, options?: ErrorOptions) {
    super(`NATS users: ${reason}`, options);
  }
}
