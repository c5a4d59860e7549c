import { type ArgumentsHost, Catch, type ExceptionFilter, HttpStatus } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '@palisade/domain';

/** RFC 6749 §5.2. */
export type OAuthErrorCode = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type';

/** A token request that fails (RFC 6749 §5.2). */
export class OAuthError extends DomainError {
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

/** Answers failed token requests as RFC 6749 §5.2 says. */
@Catch(OAuthError)
export class OAuthExceptionFilter implements ExceptionFilter<OAuthError> {
  catch({ error, description }: OAuthError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (error === 'invalid_client') {
      // RFC 6749 §5.2 demands a challenge when the client used the header, RFC 9110 §15.5.2 with any 401.
      response.setHeader('WWW-Authenticate', 'Basic realm="palisade"');
    }
    response
      .status(error === 'invalid_client' ? HttpStatus.UNAUTHORIZED : HttpStatus.BAD_REQUEST)
      .set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' })
      .json({ error, error_description: description });
  }
}
