import { type NextFunction, type Request, type Response, urlencoded } from 'express';
import { OAuthError } from './oauth.errors.js';

/** What a client sent to the token endpoint. */
export interface TokenRequest {
  /** Null when the body was no form. */
  readonly form: Readonly<Record<string, unknown>> | null;
  readonly authorization: string | undefined;
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const MAX_CREDENTIAL_LENGTH = 1000;

/**
 * The credentials in a client credentials request (RFC 6749 §4.4.2), given by HTTP Basic or in the body (§2.3.1).
 *
 * @throws {OAuthError}
 */
export function readTokenRequest({ form, authorization }: TokenRequest): ClientCredentials {
  if (form === null) {
    throw new OAuthError('invalid_request', 'the body must be application/x-www-form-urlencoded, of at most 8 KiB');
  }
  const grantType = parameter(form, 'grant_type');
  if (grantType === undefined) {
    throw new OAuthError('invalid_request', 'grant_type is missing');
  }
  if (grantType !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'the only grant type is client_credentials');
  }
  const header = readBasic(authorization);
  const clientId = parameter(form, 'client_id');
  const clientSecret = parameter(form, 'client_secret');
  if (header !== undefined) {
    // RFC 6749 §2.3: "The client MUST NOT use more than one authentication method in each request."
    if (clientSecret !== undefined || (clientId !== undefined && clientId !== header.clientId)) {
      throw new OAuthError('invalid_request', 'credentials are both in the header and in the body');
    }
    return header;
  }
  if (clientId === undefined || clientSecret === undefined) {
    throw new OAuthError('invalid_client', 'client credentials are missing');
  }
  return { clientId, clientSecret };
}

function parameter(form: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(form, name) ? form[name] : undefined;
  if (value === undefined || value === '') {
    // RFC 6749 §3.2: "Parameters sent without a value MUST be treated as if they were omitted".
    return undefined;
  }
  if (typeof value !== 'string' || value.length > MAX_CREDENTIAL_LENGTH) {
    // RFC 6749 §3.2: "parameters MUST NOT be included more than once".
    throw new OAuthError('invalid_request', `${name} must be given once`);
  }
  return value;
}

function readBasic(authorization: string | undefined): ClientCredentials | undefined {
  const [, encoded] = /^basic +([\w+/-]{1,4000}=*)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) {
    if (authorization !== undefined) {
      throw new OAuthError('invalid_client', 'the Authorization header holds no Basic credentials');
    }
    return undefined;
  }
  const [, clientId, clientSecret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (clientId === undefined || clientSecret === undefined) {
    throw new OAuthError('invalid_client', 'the Authorization header holds no client id and secret');
  }
  return { clientId: formDecode(clientId), clientSecret: formDecode(clientSecret) };
}

// RFC 6749 §2.3.1: both are "encoded using the application/x-www-form-urlencoded encoding algorithm" first.
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new OAuthError('invalid_client', 'the Authorization header is not form-encoded', { cause });
  }
}

const MAX_FORM_BYTES = 8192;

const parseForm = urlencoded({ extended: false, limit: MAX_FORM_BYTES, parameterLimit: 20 });

/** Leaves the form of a token request in `body`, or null when the body is none of at most 8 KiB and 20 parameters. */
export function readForm(request: Request, response: Response, next: NextFunction): void {
  parseForm(request, response, () => {
    const body: unknown = request.body;
    request.body = typeof body === 'object' && body !== null ? body : null;
    next();
  });
}
