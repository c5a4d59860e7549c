import { Catch, HttpStatus, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { OAuthError } from './oauth.error.js';

/** Answers refused token requests as RFC 6749 §5.2 says. */
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
