import { DomainError, type NamespaceId } from '@palisade/domain';

/** Nothing says where requests of the namespace go. */
export class NoRouteError extends DomainError {
  override readonly name = 'NoRouteError';
  readonly code = 'NO_ROUTE';

  constructor(readonly namespace: NamespaceId) {
    super(`no tenant, rule or entry has the namespace "${namespace}", and there is no default_pool`);
  }
}
