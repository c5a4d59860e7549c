import type { HeadersObject, ResponseObject } from '@nestjs/swagger';
import { schemaReference } from './documents.js';

/** An error that a route may answer, as it goes out. */
export interface ErrorCase {
  /** What clients branch on, or a word for it. */
  readonly name: string;
  /** When it is sent; goes on after a colon. */
  readonly when: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const HEADERS: Readonly<Record<string, string>> = {
  'WWW-Authenticate': 'Which credential is needed, and what is wrong with the one that was given.',
  'Retry-After': 'Seconds after which to try again.',
};

/** By status, or by component name. */
export type ErrorResponses = Readonly<Record<string, ResponseObject>>;

/** The responses to errors, by status; each with an example for every case. */
export function errorResponses(mediaType: string, schemaName: string, cases: readonly ErrorCase[]): ErrorResponses {
  const byStatus = Map.groupBy(cases, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, errorResponse(mediaType, schemaName, group)]),
  );
}

function errorResponse(mediaType: string, schemaName: string, cases: readonly ErrorCase[]): ResponseObject {
  const headers = Object.fromEntries(cases.flatMap(({ headers }) => Object.entries(headers)));
  const [first, ...others] = cases;
  const examples = cases.map(({ name, body }) => [name, { summary: name, value: body }]);
  return {
    description: describe(cases),
    ...(Object.keys(headers).length > 0 && { headers: describeHeaders(headers) }),
    content: {
      [mediaType]: {
        schema: schemaReference(schemaName),
        ...(others.length === 0 ? { example: first?.body } : { examples: Object.fromEntries(examples) }),
      },
    },
  };
}

function describeHeaders(headers: Readonly<Record<string, string>>): HeadersObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      { description: HEADERS[name] ?? '', schema: { type: 'string', examples: [value] } },
    ]),
  );
}

/** A sentence, or a list when there are several cases. */
function describe(cases: readonly ErrorCase[]): string {
  const [first, ...others] = cases;
  return first === undefined || others.length > 0
    ? cases.map(({ name, when }) => `- \`${name}\`: ${when}`).join('\n')
    : first.when.charAt(0).toUpperCase() + first.when.slice(1);
}
