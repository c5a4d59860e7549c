import { DomainError, type NamespaceId, type PoolName } from '@palisade/domain';

/** The caller does not administer this namespace; to them it does not exist. */
export class NamespaceNotFoundError extends DomainError {
  override readonly name = 'NamespaceNotFoundError';
  readonly code = 'NAMESPACE_NOT_FOUND';

  constructor(readonly namespace: NamespaceId) {
    super(`namespace "${namespace}" does not exist among those that you administer`);
  }
}

/** Nothing says where requests of the namespace go. */
export class NoRouteError extends DomainError {
  override readonly name = 'NoRouteError';
  readonly code = 'NO_ROUTE';

  constructor(readonly namespace: NamespaceId) {
    super(`no tenant, rule or entry has the namespace "${namespace}", and there is no default_pool`);
  }
}

/** The configuration has no pool of this name. */
export class UnknownPoolError extends DomainError {
  override readonly name = 'UnknownPoolError';
  readonly code = 'UNKNOWN_POOL';

  constructor(
    readonly pool: PoolName,
    readonly known: readonly PoolName[],
  ) {
    super(`pool: expected one of ${known.map((each) => `"${each}"`).join(', ')}, found "${pool}"`);
  }
}
