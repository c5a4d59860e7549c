import { DomainError } from '@palisade/domain';

/** RFC 6749 §5.2. */
export type OAuthErrorCode = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type';

/** A token request that is refused (RFC 6749 §5.2). */
export class OAuthError extends DomainError {
  override readonly name = 'OAuthError';
  readonly code = 'OAUTH';

  /** @param description for the client; no quotes, backslashes or characters outside of ASCII */
  constructor(
    readonly error: OAuthErrorCode,
    readonly description: string,
    options?: ErrorOptions,
  ) {
    super(description, options);
  }
}
