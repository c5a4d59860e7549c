import { UnauthenticatedError } from './authentication.errors.js';

/** Longer Authorization headers are rejected unread. */
export const MAX_AUTHORIZATION_LENGTH = 8192;

/**
 * The token of an `Authorization: Bearer` header, the only place where one is looked for: RFC 6750 §2.3 says that
 * tokens in a URL "SHOULD NOT be used", as URLs end up in logs.
 *
 * @throws {UnauthenticatedError} when there is no such header or it holds no well-formed token
 */
export function readBearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') {
    throw new UnauthenticatedError('missing');
  }
  if (authorization.length > MAX_AUTHORIZATION_LENGTH) {
    throw new UnauthenticatedError('malformed');
  }
  // RFC 9110 §11.1: the scheme is case-insensitive.
  const [, token, rest] = /^bearer(?: +([\x21-\x7e]*)(.*))?$/isu.exec(authorization) ?? [];
  if (token === undefined) {
    // RFC 6750 §3: no error code for a request that "lacks any authentication information"; any scheme but Bearer counts as that.
    throw new UnauthenticatedError(/^bearer/i.test(authorization) ? 'malformed' : 'missing');
  }
  if (token === '' || rest?.trim() !== '') {
    throw new UnauthenticatedError('malformed');
  }
  return token;
}
