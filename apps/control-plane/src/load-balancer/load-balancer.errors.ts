import { HttpStatus } from '@nestjs/common';
import { DomainError, codeOf, type LoadBalancerVersion } from '@palisade/domain';
import type { ProblemTable } from '@palisade/platform';

/** The desired state cannot become a configuration: nothing was changed, and the same state will be rejected again. */
export class RejectedStateError extends DomainError {
  readonly code = 'LOAD_BALANCER_REJECTED';
}

/** Nothing answers at the load balancer's administration socket. */
export class NotRunningError extends Error {
  override readonly name = 'NotRunningError';
}

/** The load balancer did not load the configuration. */
export class ReloadFailedError extends Error {
  override readonly name = 'ReloadFailedError';
}

/** The leader that makes a change has lost its term: the change stops where it is, without a rollback. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';

  constructor(epoch: number) {
    super(`the term of epoch ${epoch} is over, and another replica may lead: the change was stopped`);
  }
}

const CODES = {
  rejected: 'LOAD_BALANCER_REJECTED',
  rolled_back: 'LOAD_BALANCER_ROLLED_BACK',
  failed: 'LOAD_BALANCER_FAILED',
} as const;

export type UnsuccessfulResult = keyof typeof CODES;

/** The reload did not succeed. If the load balancer runs, it still serves the configuration from before. */
export class ReloadUnsuccessfulError extends DomainError {
  readonly code: (typeof CODES)[UnsuccessfulResult];

  constructor({ id, revision, reason }: LoadBalancerVersion, result: UnsuccessfulResult) {
    super(`revision ${revision} was ${result.replace('_', ' ')} as ${id}: ${reason ?? 'no reason is known'}`);
    this.code = CODES[result];
  }
}

/** Only the leader administers the load balancer, and no replica leads, or the leader did not answer in time. */
export class LeaderUnavailableError extends DomainError {
  readonly code = 'LEADER_UNAVAILABLE';

  constructor(readonly retryAfterSeconds: number) {
    super('no leader answers at the moment; the request may still be carried out');
  }
}

/** The configuration file has no section `load_balancer`. */
export class LoadBalancerNotConfiguredError extends DomainError {
  readonly code = 'LOAD_BALANCER_NOT_CONFIGURED';

  constructor() {
    super('there is no load_balancer in the configuration');
  }
}

const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Whether the error means that no process listens on a socket, or no longer. */
export function isSilence(error: unknown): boolean {
  return ABSENT.has(codeOf(error));
}

const VERSION: LoadBalancerVersion = {
  id: '0199a3c4-7d9f-7000-8000-3c5200000000',
  revision: 42,
  hash: '',
  type: 'haproxy',
  method: 'reload',
  result: 'failed',
  actor: 'ann@example.com',
  at: new Date(0),
  durationMs: 180,
};

export const LOAD_BALANCER_PROBLEMS = {
  LOAD_BALANCER_NOT_CONFIGURED: [
    HttpStatus.CONFLICT,
    'the configuration has no `load_balancer`',
    new LoadBalancerNotConfiguredError(),
  ],
  LOAD_BALANCER_REJECTED: [
    HttpStatus.BAD_GATEWAY,
    'the configuration cannot be rendered, or its check failed; nothing was changed',
    new ReloadUnsuccessfulError({ ...VERSION, reason: 'haproxy ended with exit code 1: …' }, 'rejected'),
  ],
  LOAD_BALANCER_ROLLED_BACK: [
    HttpStatus.BAD_GATEWAY,
    'the load balancer did not load the configuration; the previous one was restored',
    new ReloadUnsuccessfulError({ ...VERSION, reason: 'HAProxy could not load the configuration' }, 'rolled_back'),
  ],
  LOAD_BALANCER_FAILED: [
    HttpStatus.BAD_GATEWAY,
    'the load balancer does not run, or neither loaded the configuration nor could be restored',
    new ReloadUnsuccessfulError({ ...VERSION, reason: 'HAProxy does not answer' }, 'failed'),
  ],
  LEADER_UNAVAILABLE: [
    HttpStatus.SERVICE_UNAVAILABLE,
    'no replica leads, or the leader does not answer; `Retry-After` in seconds',
    new LeaderUnavailableError(5),
  ],
} as const satisfies ProblemTable;
