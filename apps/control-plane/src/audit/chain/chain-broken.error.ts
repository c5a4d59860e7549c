import { DomainError } from '@palisade/domain';

/** Action records are not those that were written; nothing is exported or removed any more. */
export class ChainBrokenError extends DomainError {
  override readonly name = 'ChainBrokenError';
  readonly code = 'AUDIT_CHAIN_BROKEN';

  constructor(
    readonly where: string,
    readonly brokenAt: number,
    readonly reason: string,
  ) {
    super(`the chain of action records in ${where} is broken at sequence ${brokenAt} (${reason})`);
  }
}
