import type { GroupId } from '../identifiers.js';
import { DomainError } from './domain.error.js';

/** The change would make more groups contain each other in a row than may; nothing was changed. */
export class NestingTooDeepError extends DomainError {
  override readonly name = 'NestingTooDeepError';
  readonly code = 'NESTING_TOO_DEEP';

  constructor(
    readonly group: GroupId,
    readonly maxDepth: number,
  ) {
    super(`members: with the groups above and below it, ${group} would be nested more than ${maxDepth} levels deep`);
  }
}
