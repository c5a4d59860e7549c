import { HttpStatus } from '@nestjs/common';
import {
  DomainError,
  ManagedElsewhereError,
  parseNamespaceId,
  parsePoolName,
  parseTenantId,
  TenantNotFoundError,
  type NamespaceId,
  type PoolName,
} from '@palisade/domain';
import type { ProblemTable } from '@palisade/platform';

/** The caller does not administer this namespace; to them it does not exist. */
export class NamespaceNotFoundError extends DomainError {
  readonly code = 'NAMESPACE_NOT_FOUND';

  constructor(readonly namespace: NamespaceId) {
    super(`namespace "${namespace}" does not exist among those that you administer`);
  }
}

/** Nothing says where requests of the namespace go. */
export class NoRouteError extends DomainError {
  readonly code = 'NO_ROUTE';

  constructor(readonly namespace: NamespaceId) {
    super(`no tenant, rule or entry has the namespace "${namespace}", and there is no default_pool`);
  }
}

/** The configuration has no pool of this name. */
export class UnknownPoolError extends DomainError {
  readonly code = 'UNKNOWN_POOL';

  constructor(
    readonly pool: PoolName,
    readonly known: readonly PoolName[],
  ) {
    super(`pool: expected one of ${known.map((each) => `"${each}"`).join(', ')}, found "${pool}"`);
  }
}

const NAMESPACE = parseNamespaceId('acme-orders');
const TENANT = parseTenantId('acme');

/** What may go wrong when somebody asks about routes, or names a pool. */
export const ROUTING_PROBLEMS = {
  UNKNOWN_POOL: [
    HttpStatus.BAD_REQUEST,
    'the configuration has no such pool',
    new UnknownPoolError(parsePoolName('gold'), [parsePoolName('standard')]),
  ],
  NAMESPACE_NOT_FOUND: [
    HttpStatus.NOT_FOUND,
    'the namespace is not one that the caller administers',
    new NamespaceNotFoundError(NAMESPACE),
  ],
  TENANT_NOT_FOUND: [
    HttpStatus.NOT_FOUND,
    'no such tenant among those that the caller may see',
    new TenantNotFoundError(TENANT),
  ],
  NO_ROUTE: [HttpStatus.NOT_FOUND, 'nothing says where the namespace goes', new NoRouteError(NAMESPACE)],
  MANAGED_ELSEWHERE: [
    HttpStatus.CONFLICT,
    'another source owns it, and would undo the change',
    new ManagedElsewhereError('tenant', TENANT, 'kubernetes'),
  ],
} as const satisfies ProblemTable;
