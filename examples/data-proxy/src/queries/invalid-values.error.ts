import { DomainError } from '@palisade/domain';

/** The values are not those that the statement takes; nothing was sent. */
export class InvalidValuesError extends DomainError {
  override readonly name = 'InvalidValuesError';
  readonly code = 'INVALID_VALUES';

  constructor(parameter: string, expected: string) {
    super(`values.${parameter}: expected ${expected}`);
  }
}
