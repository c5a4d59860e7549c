import { DomainError } from '@palisade/domain';

export type IdentityRejection = 'missing' | 'malformed' | 'invalid' | 'expired' | 'conflicting';

const MESSAGES: Readonly<Record<IdentityRejection, string>> = {
  missing: 'this resource needs a credential of a namespace',
  malformed: 'the request holds no well-formed credential, or one twice',
  invalid: 'a credential of the request is not valid here',
  expired: 'a credential of the request has expired',
  conflicting: 'the credentials of the request do not say the same',
};

/** The caller could not be identified as somebody of a namespace: 401 with `challenge` as WWW-Authenticate. */
export class NamespaceUnauthenticatedError extends DomainError {
  override readonly name = 'NamespaceUnauthenticatedError';
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
