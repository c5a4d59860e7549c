import { DomainError } from '@palisade/domain';

/** Nobody is there to answer the request. */
export class NoRespondersError extends DomainError {
  readonly code = 'NO_RESPONDERS';
  readonly retryAfterSeconds = 1;

  constructor(
    readonly subject: string,
    options?: ErrorOptions,
  ) {
    super(`request ${JSON.stringify(subject.slice(0, 80))}: nobody is subscribed who could answer`, options);
  }
}

/** The servers did not take the users over; the file is as it was before. */
export class ProvisioningFailedError extends DomainError {
  readonly code = 'PROVISIONING_FAILED';

  constructor(reason: string, options?: ErrorOptions) {
    super(`NATS users: ${reason}`, options);
  }
}
