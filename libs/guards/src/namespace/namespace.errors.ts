import { DomainError } from '@palisade/domain';

/** The request does not say which one of several namespaces it is for: 400. */
export class NamespaceAmbiguousError extends DomainError {
  readonly code = 'NAMESPACE_AMBIGUOUS';

  constructor(problem: string) {
    super(`the request has to name one namespace: ${problem}`);
  }
}

/**
 * The namespace is not the caller's. The answer does not reveal whether it exists: a namespace that the caller may not see
 * looks like one that does not exist.
 */
export class NamespaceNotFoundError extends DomainError {
  readonly code = 'NAMESPACE_NOT_FOUND';

  constructor(readonly namespace: string) {
    super(`there is no namespace ${JSON.stringify(namespace.slice(0, 80))} for this caller`);
  }
}

export type IdentityRejection = 'missing' | 'malformed' | 'invalid' | 'expired' | 'conflicting';

const MESSAGES: Readonly<Record<IdentityRejection, string>> = {
  missing: 'this resource needs a credential of a namespace',
  malformed: 'the request holds no well-formed credential, or one twice',
  invalid: 'a credential of the request is not valid here',
  expired: 'a credential of the request has expired',
  conflicting: 'the credentials of the request do not say the same',
};

/** The caller could not be identified as belonging to a namespace: 401 with `challenge` as WWW-Authenticate. */
export class NamespaceUnauthenticatedError extends DomainError {
  readonly code = 'UNAUTHENTICATED';

  constructor(
    readonly reason: IdentityRejection,
    /** Value of the WWW-Authenticate header: what would be accepted. */
    readonly challenge: string,
    options?: ErrorOptions,
  ) {
    super(MESSAGES[reason], options);
  }
}
