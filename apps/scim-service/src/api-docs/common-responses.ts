import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import { type ErrorResponses, operationsOf, responseReference } from '@palisade/platform';
import { REQUEST_PROBLEMS, problemResponses } from './problems.js';
import { failureResponse, refusalResponses } from './scim/refusals.js';

/** What many routes may answer, each described once: the response by its component name, with its status. */
type CommonResponses = Readonly<Record<string, readonly [status: number, responses: ErrorResponses]>>;

const PROBLEMS = {
  InvalidParameters: [400, problemResponses('VALIDATION_FAILED', 'INVALID_REQUEST', 'INVALID_IDENTIFIER')],
  InvalidRequest: [400, problemResponses(...REQUEST_PROBLEMS)],
  Unauthenticated: [401, problemResponses('UNAUTHENTICATED')],
  Forbidden: [403, problemResponses('FORBIDDEN')],
  TooLarge: [413, problemResponses('PAYLOAD_TOO_LARGE')],
  UnsupportedMediaType: [415, problemResponses('UNSUPPORTED_MEDIA_TYPE')],
  Failure: [500, problemResponses('INTERNAL_ERROR')],
  Unavailable: [503, problemResponses('STORE_UNAVAILABLE', 'ISSUER_UNAVAILABLE')],
  StoreUnavailable: [503, problemResponses('STORE_UNAVAILABLE')],
} as const satisfies CommonResponses;

const REFUSALS = {
  ScimUnauthenticated: [401, refusalResponses('unauthenticated')],
  ScimTooLarge: [413, refusalResponses('tooLarge')],
  ScimUnsupportedMediaType: [415, refusalResponses('mediaType')],
  ScimBusy: [429, refusalResponses('busy')],
  ScimFailure: [500, failureResponse()],
  ScimUnavailable: [503, refusalResponses('unavailable')],
} as const satisfies CommonResponses;

type Name = keyof typeof PROBLEMS | keyof typeof REFUSALS;

const ALL = { ...PROBLEMS, ...REFUSALS };

/** Those of the admin API and of the token endpoint, by component name. */
export function commonProblems(): ErrorResponses {
  return byName(PROBLEMS);
}

/** Those of SCIM, by component name. */
export function commonRefusals(): ErrorResponses {
  return byName(REFUSALS);
}

/** Adds to each operation the errors that follow from what it is: guarded, with a body, of SCIM or of the admin API. */
export function addCommonResponses(document: OpenAPIObject): void {
  for (const [, operation] of operationsOf(document)) {
    for (const name of commonTo(operation)) {
      operation.responses[ALL[name][0]] ??= responseReference(name);
    }
  }
}

function commonTo({ security = [], requestBody }: OperationObject): readonly Name[] {
  const schemes = new Set(security.flatMap((requirement) => Object.keys(requirement)));
  const hasBody = requestBody !== undefined;
  if (schemes.has('scim')) {
    const ofBodies = ['ScimTooLarge', 'ScimUnsupportedMediaType'] as const;
    return ['ScimUnauthenticated', ...(hasBody ? ofBodies : []), 'ScimBusy', 'ScimFailure', 'ScimUnavailable'];
  }
  if (schemes.has('admin')) {
    const ofBodies = ['InvalidRequest', 'TooLarge', 'UnsupportedMediaType'] as const;
    const ofAll = ['Unauthenticated', 'Forbidden', 'Failure', 'Unavailable'] as const;
    return [...(hasBody ? ofBodies : (['InvalidParameters'] as const)), ...ofAll];
  }
  return ['Failure', 'StoreUnavailable'];
}

function byName(common: CommonResponses): ErrorResponses {
  return Object.fromEntries(
    Object.entries(common).flatMap(([name, [status, responses]]) => {
      const response = responses[status];
      return response === undefined ? [] : [[name, response]];
    }),
  );
}
