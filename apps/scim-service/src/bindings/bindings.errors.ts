import { HttpStatus } from '@nestjs/common';
import {
  BindingConflictError,
  DomainError,
  UnknownSubjectError,
  formatResourceId,
  parseNamespaceId,
  parseProviderId,
  type BindingKey,
  type NamespaceId,
} from '@palisade/domain';
import type { ProblemTable } from '@palisade/platform';

/** There is no binding with this key. */
export class BindingNotFoundError extends DomainError {
  readonly code = 'BINDING_NOT_FOUND';

  constructor(readonly key: BindingKey) {
    super(`${key.boundSubject} has no binding to namespace "${key.namespace}" with relation "${key.relation}"`);
  }
}

/** The caller does not administer this namespace; to them it does not exist. */
export class NamespaceNotFoundError extends DomainError {
  readonly code = 'NAMESPACE_NOT_FOUND';

  constructor(readonly namespace: NamespaceId) {
    super(`namespace "${namespace}" does not exist among those that you administer`);
  }
}

const NAMESPACE = parseNamespaceId('orders');
const GROUP = formatResourceId('Group', parseProviderId('default'), 'eng');
const BINDING = { namespace: NAMESPACE, boundSubject: GROUP, relation: 'write' } as const;

export const BINDING_PROBLEMS = {
  UNKNOWN_SUBJECT: [HttpStatus.BAD_REQUEST, 'the group to bind does not exist', new UnknownSubjectError(GROUP)],
  NAMESPACE_NOT_FOUND: [
    HttpStatus.NOT_FOUND,
    'the namespace is not one that the caller administers',
    new NamespaceNotFoundError(NAMESPACE),
  ],
  BINDING_NOT_FOUND: [HttpStatus.NOT_FOUND, 'there is no such binding', new BindingNotFoundError(BINDING)],
  BINDING_CONFLICT: [
    HttpStatus.CONFLICT,
    'the group is bound already, from another source',
    new BindingConflictError(BINDING, 'import'),
  ],
} as const satisfies ProblemTable;
