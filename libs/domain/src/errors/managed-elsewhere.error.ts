import { DomainError } from './domain.error.js';

/** Another source owns the tenant or proxy, and would undo the change; nothing was changed. */
export class ManagedElsewhereError extends DomainError {
  override readonly name = 'ManagedElsewhereError';
  readonly code = 'MANAGED_ELSEWHERE';

  constructor(
    readonly kind: 'tenant' | 'proxy',
    readonly id: string,
    readonly source: string,
  ) {
    super(`${kind} "${id}" is managed by ${source}; change it there`);
  }
}
