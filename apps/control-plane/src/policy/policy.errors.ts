import { HttpStatus } from '@nestjs/common';
import { DomainError } from '@palisade/domain';
import type { ProblemTable } from '@palisade/platform';
import { PROXY_PROBLEMS } from '../proxies/proxies.errors.js';

/** This replica has as many policy streams as it can serve, or is about to end. */
export class TooManyStreamsError extends DomainError {
  readonly code = 'TOO_MANY_STREAMS';
  readonly retryAfterSeconds = 1;

  constructor(readonly most: number) {
    super(`this replica serves at most ${most} policy streams: ask another one`);
  }
}

export const POLICY_PROBLEMS = {
  ...PROXY_PROBLEMS,
  TOO_MANY_STREAMS: [
    HttpStatus.SERVICE_UNAVAILABLE,
    'the replica has as many policy streams as it can serve, or is about to end',
    new TooManyStreamsError(2000),
  ],
} as const satisfies ProblemTable;
