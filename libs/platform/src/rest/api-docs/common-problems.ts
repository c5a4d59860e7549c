import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import type { ErrorResponses } from './error-responses.js';
import { operationsOf, responseReference } from './documents.js';
import type { ProblemCatalogue, ProblemTable } from './problem-catalogue.js';

/** What many routes of an admin API may answer, by component name. */
const COMMON = {
  InvalidParameters: [400, ['VALIDATION_FAILED', 'INVALID_REQUEST', 'INVALID_IDENTIFIER']],
  InvalidRequest: [400, ['VALIDATION_FAILED', 'INVALID_JSON', 'INVALID_REQUEST', 'INVALID_IDENTIFIER']],
  Unauthenticated: [401, ['UNAUTHENTICATED']],
  Forbidden: [403, ['FORBIDDEN']],
  TooLarge: [413, ['PAYLOAD_TOO_LARGE']],
  UnsupportedMediaType: [415, ['UNSUPPORTED_MEDIA_TYPE']],
  Failure: [500, ['INTERNAL_ERROR']],
  Unavailable: [503, ['STORE_UNAVAILABLE', 'ISSUER_UNAVAILABLE']],
} as const satisfies Readonly<Record<string, readonly [status: number, codes: readonly string[]]>>;

type Name = keyof typeof COMMON;
/** A table with at least the problems that are common to all admin APIs. */
export type CommonProblemTable = ProblemTable &
  Readonly<Record<(typeof COMMON)[Name][1][number], ProblemTable[string]>>;

/** The responses that many routes share, by component name. */
export function commonProblems(catalogue: ProblemCatalogue<CommonProblemTable>): ErrorResponses {
  return Object.fromEntries(
    Object.entries(COMMON).flatMap(([name, [status, codes]]) => {
      const response = catalogue.responses(...codes)[status];
      return response === undefined ? [] : [[name, response]];
    }),
  );
}

/** Adds to each operation for admins the errors that follow from what it is: guarded, with a body or without. */
export function addCommonProblems(document: OpenAPIObject): void {
  for (const [, operation] of operationsOf(document)) {
    for (const name of commonTo(operation)) {
      operation.responses[COMMON[name][0]] ??= responseReference(name);
    }
  }
}

function commonTo({ security = [], requestBody }: OperationObject): readonly Name[] {
  if (!security.some((requirement) => 'admin' in requirement)) {
    return ['Failure'];
  }
  const ofBodies = ['InvalidRequest', 'TooLarge', 'UnsupportedMediaType'] as const;
  const ofOthers = ['InvalidParameters'] as const;
  return [
    ...(requestBody === undefined ? ofOthers : ofBodies),
    'Unauthenticated',
    'Forbidden',
    'Failure',
    'Unavailable',
  ];
}
