import { HttpStatus } from '@nestjs/common';
import type { ApiOperationOptions, SchemasObject } from '@nestjs/swagger';
import { COMMON_PROBLEMS, ProblemCatalogue, type ErrorCase, errorResponses, schemaReference } from '@palisade/platform';
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../authentication/access-tokens.js';
import { TOKEN_ID_EXAMPLE } from '../providers/providers.errors.js';
import type { OAuthErrorCode } from './oauth.errors.js';
import type { TokenAnswer } from './oauth.service.js';

const ACCESS_TOKEN: TokenAnswer = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJwcm92aWRlciI6ImFjbWUtZW50cmEifQ.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
  scope: 'scim',
};

/** The status of each error, when it is sent (in the words of docs/status-codes.md) and a description that goes with it. */
export const TOKEN_ERRORS = {
  invalid_request: [HttpStatus.BAD_REQUEST, 'a parameter is missing, repeated or malformed', 'grant_type is missing'],
  unsupported_grant_type: [
    HttpStatus.BAD_REQUEST,
    'the grant type is not `client_credentials`',
    'the only grant type is client_credentials',
  ],
  invalid_client: [
    HttpStatus.UNAUTHORIZED,
    'the client is unknown, or its secret wrong, expired or revoked',
    'unknown client or wrong secret',
  ],
} as const satisfies Readonly<Record<OAuthErrorCode, readonly [status: HttpStatus, when: string, description: string]>>;

const UNAVAILABLE = new ProblemCatalogue(COMMON_PROBLEMS).responses('STORE_UNAVAILABLE');

export const OAUTH_SCHEMAS: SchemasObject = {
  TokenRequest: {
    type: 'object',
    properties: {
      grant_type: { type: 'string', enum: ['client_credentials'] },
      client_id: {
        type: 'string',
        description: 'Id of a token of kind `client`; not with HTTP Basic.',
        examples: [TOKEN_ID_EXAMPLE],
      },
      client_secret: { type: 'string', format: 'password', description: 'Its secret; not with HTTP Basic.' },
    },
    required: ['grant_type'],
  },
  AccessToken: {
    type: 'object',
    properties: {
      access_token: { type: 'string', description: 'A JWT (RFC 9068); a bearer token for SCIM.' },
      token_type: { type: 'string', enum: ['Bearer'] },
      expires_in: { type: 'integer', description: 'Seconds; an hour, or less when the client ends before.' },
      scope: { type: 'string', enum: ['scim'] },
    },
    required: ['access_token', 'token_type', 'expires_in', 'scope'],
  },
  OAuthError: {
    type: 'object',
    description: 'Why a token request failed (RFC 6749 §5.2).',
    properties: {
      error: { type: 'string', enum: Object.keys(TOKEN_ERRORS), description: 'Stable; branch on it.' },
      error_description: { type: 'string', description: 'For people.' },
    },
    required: ['error'],
  },
  JsonWebKeySet: {
    type: 'object',
    description: 'Public keys (RFC 7517 §5).',
    properties: {
      keys: { type: 'array', items: schemaReference('JsonWebKey') },
    },
    required: ['keys'],
  },
  JsonWebKey: {
    type: 'object',
    description: 'A public key (RFC 7517 §4), with the parameters of its type.',
    properties: {
      kty: { type: 'string', description: 'Type of the key.', examples: ['EC'] },
      kid: { type: 'string', description: 'What the header of a token names.' },
      alg: { type: 'string', description: 'Algorithm that it verifies.', examples: ['ES256'] },
      use: { type: 'string', enum: ['sig'] },
    },
    required: ['kty', 'kid', 'alg', 'use'],
    additionalProperties: true,
  },
};

export const ISSUE_ACCESS_TOKEN: ApiOperationOptions = {
  operationId: 'issueAccessToken',
  summary: 'Exchange client credentials for an access token',
  description:
    'RFC 6749 §4.4. The client is a token of kind `client`: its id and its secret, in the body or as HTTP Basic (both parts ' +
    'form-encoded first). Whatever `scope` is asked for, the access token is for all of SCIM.',
  requestBody: {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: schemaReference('TokenRequest') } },
  },
  responses: {
    200: {
      description: 'An access token',
      content: { 'application/json': { schema: schemaReference('AccessToken'), example: ACCESS_TOKEN } },
    },
    ...errorResponses('application/json', 'OAuthError', Object.entries(TOKEN_ERRORS).map(toCase)),
    ...UNAVAILABLE,
  },
};

export const GET_PUBLIC_KEYS: ApiOperationOptions = {
  operationId: 'getPublicKeys',
  summary: 'The keys that verify access tokens',
  description: 'RFC 7517. May be kept for five minutes.',
  responses: {
    200: {
      description: 'The keys',
      content: { 'application/json': { schema: schemaReference('JsonWebKeySet') } },
    },
    ...UNAVAILABLE,
  },
};

function toCase([error, [status, when, description]]: [string, readonly [number, string, string]]): ErrorCase {
  return {
    name: error,
    when,
    status,
    headers: status === HttpStatus.UNAUTHORIZED ? { 'WWW-Authenticate': 'Basic realm="palisade"' } : {},
    body: { error, error_description: description },
  };
}
