import { HttpStatus } from '@nestjs/common';
import {
  DomainError,
  MAX_WILDCARD_PATTERNS,
  NamespaceOverlapError,
  PreconditionFailedError,
  TenantConflictError,
  TooManyPatternsError,
  parseNamespacePattern,
  parseTenantId,
  type TenantId,
} from '@palisade/domain';
import type { ProblemTable } from '@palisade/platform';
import { ROUTING_PROBLEMS } from '../routing/routing.errors.js';

/** Namespaces of the tenant would go nowhere; nothing was changed. */
export class PoolRequiredError extends DomainError {
  readonly code = 'POOL_REQUIRED';

  constructor(readonly tenant: TenantId) {
    super(
      `pool: expected the name of a pool, as neither a rule, namespace_routing nor default_pool has one for tenant "${tenant}"`,
    );
  }
}

/** The installation serves one tenant, which the configuration names; nothing was changed. */
export class SingleTenantError extends DomainError {
  readonly code = 'SINGLE_TENANT';

  constructor() {
    super('this installation serves a single tenant, which deployment.tenant_id names; tenants cannot be registered');
  }
}

const TENANT = parseTenantId('acme');
const OTHER = { tenant: parseTenantId('globex'), pattern: parseNamespacePattern('acme-eu') };

export const TENANT_PROBLEMS = {
  ...ROUTING_PROBLEMS,
  POOL_REQUIRED: [
    HttpStatus.BAD_REQUEST,
    'the request names no pool, and neither does a rule or `default_pool`',
    new PoolRequiredError(TENANT),
  ],
  NAMESPACE_OVERLAP: [
    HttpStatus.CONFLICT,
    'some namespace would belong to two tenants',
    new NamespaceOverlapError(parseNamespacePattern('acme-*'), OTHER),
  ],
  SINGLE_TENANT: [HttpStatus.CONFLICT, 'the installation serves a single tenant', new SingleTenantError()],
  TENANT_CONFLICT: [HttpStatus.CONFLICT, 'the tenant is registered with other values', new TenantConflictError(TENANT)],
  TOO_MANY_PATTERNS: [
    HttpStatus.CONFLICT,
    'the limit of patterns that are neither `name` nor `prefix*` is reached',
    new TooManyPatternsError(MAX_WILDCARD_PATTERNS),
  ],
  PRECONDITION_FAILED: [
    HttpStatus.PRECONDITION_FAILED,
    'the state is not the one that the request names',
    new PreconditionFailedError('3', '4'),
  ],
} as const satisfies ProblemTable;
