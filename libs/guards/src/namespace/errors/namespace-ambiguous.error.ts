import { DomainError } from '@palisade/domain';

/** The request does not say which one of several namespaces it is for: 400. */
export class NamespaceAmbiguousError extends DomainError {
  override readonly name = 'NamespaceAmbiguousError';
  readonly code = 'NAMESPACE_AMBIGUOUS';

  constructor(problem: string) {
    super(`the request has to name one namespace: ${problem}`);
  }
}
