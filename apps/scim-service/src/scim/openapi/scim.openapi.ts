import type { OpenAPIObject, SchemasObject, SecuritySchemeObject } from '@nestjs/swagger';
import { operationsOf, responseReference, type ErrorResponses } from '@palisade/platform';
import { messageSchemas } from './message-schemas.js';
import { resourceSchemas } from './resource-schemas.js';
import { scimErrorResponses, scimFailureResponse } from './scim-errors.js';

/** The groups of operations in the API pages, in the order in which they are shown, each with a sentence. */
export const SCIM_TAGS = {
  'SCIM users': 'Users of the provider that the token belongs to. A provider never sees objects of another one.',
  'SCIM groups':
    'Groups of that provider and their members. A group by itself gives access to nothing: bind it to a namespace.',
  'SCIM queries and bulk': 'Users and groups together, and many operations in one request.',
  'SCIM discovery':
    'What this service supports and which attributes it knows, the extensions of the provider included.',
} as const;

export type ScimTag = keyof typeof SCIM_TAGS;

export const SCIM_SCHEME: SecuritySchemeObject = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A token of a provider: `SVC_SCIM_BEARER_TOKEN`, the secret that `issueToken` answers, an access token of ' +
    '`/oauth/token`, or a JWT of an issuer that the provider trusts.',
};

/** What many SCIM operations may answer, each described once. */
const COMMON = {
  ScimUnauthenticated: [401, scimErrorResponses('unauthenticated')],
  ScimTooLarge: [413, scimErrorResponses('tooLarge')],
  ScimUnsupportedMediaType: [415, scimErrorResponses('mediaType')],
  ScimHeadersTooLarge: [431, scimErrorResponses('headersTooLarge')],
  ScimBusy: [429, scimErrorResponses('busy')],
  ScimFailure: [500, scimFailureResponse()],
  ScimUnavailable: [503, scimErrorResponses('unavailable')],
} as const satisfies Readonly<Record<string, readonly [status: number, responses: ErrorResponses]>>;

const ONLY_WITH_BODY: ReadonlySet<string> = new Set(['ScimTooLarge', 'ScimUnsupportedMediaType']);

export function scimSchemas(): SchemasObject {
  return { ...resourceSchemas(), ...messageSchemas() };
}

/** The responses that many operations share, by component name. */
export function commonScimErrors(): ErrorResponses {
  return Object.fromEntries(
    Object.entries(COMMON).flatMap(([name, [status, responses]]) => {
      const response = (responses as ErrorResponses)[status];
      return response === undefined ? [] : [[name, response]];
    }),
  );
}

/** Adds to each SCIM operation the errors that any of them may answer. */
export function addCommonScimErrors(document: OpenAPIObject): void {
  for (const [, { security = [], requestBody, responses }] of operationsOf(document)) {
    if (!security.some((requirement) => 'scim' in requirement)) {
      continue;
    }
    for (const [name, [status]] of Object.entries(COMMON)) {
      if (requestBody !== undefined || !ONLY_WITH_BODY.has(name)) {
        responses[status] ??= responseReference(name);
      }
    }
  }
}
