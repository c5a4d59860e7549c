import { DomainError } from '@palisade/domain';

/** A policy cannot be applied; the one before stays wholly in force. Each problem starts with the path of the key. */
export class PolicyRejectedError extends DomainError {
  readonly code = 'POLICY_REJECTED';

  constructor(
    readonly revision: number | undefined,
    readonly problems: readonly string[],
  ) {
    super(`policy${revision === undefined ? '' : ` of revision ${revision}`} rejected: ${problems.join('; ')}`);
  }
}

/** This process is to be governed and was not told a policy yet; the work was not started. */
export class NoPolicyError extends DomainError {
  readonly code = 'NO_POLICY';

  constructor(readonly retryAfterSeconds = 1) {
    super('nothing is served before the control plane has sent a policy');
  }
}

/** No tenant of the policy has the namespace: the request was sent to the wrong proxy. The work was not started. */
export class NamespaceNotServedError extends DomainError {
  readonly code = 'NAMESPACE_NOT_SERVED';

  constructor(readonly namespace: string) {
    super(`namespace "${namespace}" belongs to no tenant of the policy that is in force here`);
  }
}
