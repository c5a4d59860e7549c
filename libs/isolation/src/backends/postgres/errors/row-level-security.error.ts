import { DomainError } from '@palisade/domain';

/** Row-level security does not separate tenants here, for these reasons; nothing may be served. */
export class RowLevelSecurityError extends DomainError {
  override readonly name = 'RowLevelSecurityError';
  readonly code = 'ROW_LEVEL_SECURITY';

  constructor(
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`row-level security does not separate tenants:\n${problems.map((each) => `  ${each}`).join('\n')}`, options);
  }
}
