import { DomainError, codeOf, type LoadBalancerVersion } from '@palisade/domain';

/** What is desired cannot become a configuration: nothing was changed, and trying again without a change does not help. */
export class RejectedStateError extends DomainError {
  override readonly name = 'RejectedStateError';
  readonly code = 'LOAD_BALANCER_REJECTED';
}

/** Nothing answers where the load balancer is administered. */
export class NotRunningError extends Error {
  override readonly name = 'NotRunningError';
}

/** The load balancer did not take the configuration that it was given. */
export class ReloadFailedError extends Error {
  override readonly name = 'ReloadFailedError';
}

/** Whoever makes a change does not lead any more: it stops where it is, and brings nothing back. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';

  constructor(epoch: number) {
    super(`the term of epoch ${epoch} is over, and another replica may lead: the change was not carried on`);
  }
}

const CODES = {
  rejected: 'LOAD_BALANCER_REJECTED',
  rolled_back: 'LOAD_BALANCER_ROLLED_BACK',
  failed: 'LOAD_BALANCER_FAILED',
} as const;

export type UnsuccessfulResult = keyof typeof CODES;

/** The load balancer does not do what it was to do; what it did before, it still does unless it does not run. */
export class ReloadUnsuccessfulError extends DomainError {
  override readonly name = 'ReloadUnsuccessfulError';
  readonly code: (typeof CODES)[UnsuccessfulResult];

  constructor({ id, revision, reason }: LoadBalancerVersion, result: UnsuccessfulResult) {
    super(`revision ${revision} was ${result.replace('_', ' ')} as ${id}: ${reason ?? 'no reason is known'}`);
    this.code = CODES[result];
  }
}

/** Only the leader administers the load balancer, and there is none, or it did not answer in time. */
export class LeaderUnavailableError extends DomainError {
  override readonly name = 'LeaderUnavailableError';
  readonly code = 'LEADER_UNAVAILABLE';

  constructor(readonly retryAfterSeconds: number) {
    super('no leader answers at the moment; it may still do what was asked for');
  }
}

/** The configuration file has no section `load_balancer`. */
export class LoadBalancerNotConfiguredError extends DomainError {
  override readonly name = 'LoadBalancerNotConfiguredError';
  readonly code = 'LOAD_BALANCER_NOT_CONFIGURED';

  constructor() {
    super('there is no load_balancer in the configuration');
  }
}

const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Whether the error means that nobody listens on a socket, or not any more. */
export function isSilence(error: unknown): boolean {
  return ABSENT.has(codeOf(error));
}
