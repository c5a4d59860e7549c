import { DomainError } from '@palisade/domain';

/** The settings contradict themselves or say something unknown; each problem starts with the path of the key. */
export class InvalidSettingsError extends DomainError {
  readonly code = 'INVALID_ISOLATION_SETTINGS';

  constructor(readonly problems: readonly string[]) {
    super(`invalid isolation settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}
