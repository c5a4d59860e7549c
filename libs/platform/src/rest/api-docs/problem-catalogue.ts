import type { HttpStatus } from '@nestjs/common';
import type { SchemaObject } from '@nestjs/swagger';
import { PROBLEM_MEDIA_TYPE } from '../../http/problem-details.filter.js';
import { CODE_BY_STATUS, toProblem, type StatusByCode } from '../../http/problem-details.js';
import { errorResponses, type ErrorResponses } from './error-responses.js';

/**
 * What may go wrong in a feature, by code: the status, when it is sent (in the words of docs/status-codes.md) and an
 * error that leads to it.
 */
export type ProblemTable = Readonly<Record<string, readonly [status: HttpStatus, when: string, example: Error]>>;

const EXAMPLE_REQUEST_ID = '7d9f3c52';

/** The problems of an API, as its pages describe them and as the service sends them. */
export class ProblemCatalogue<Table extends ProblemTable> {
  /** What the filter for errors needs. */
  readonly statuses: StatusByCode;

  constructor(private readonly problems: Table) {
    this.statuses = Object.fromEntries(Object.entries(problems).map(([code, [status]]) => [code, status]));
  }

  /** The responses to these problems, by status. */
  responses(...codes: readonly (keyof Table & string)[]): ErrorResponses {
    const cases = codes.map((code) => {
      const problem = this.problems[code];
      if (problem === undefined) {
        throw new TypeError(`the catalogue has no problem ${code}`);
      }
      const [status, when, example] = problem;
      const { body, headers } = toProblem(example, this.statuses, EXAMPLE_REQUEST_ID);
      return { name: code, when, status, headers, body };
    });
    return errorResponses(PROBLEM_MEDIA_TYPE, 'Problem', cases);
  }

  /** Problem details (RFC 9457). */
  get schema(): SchemaObject {
    return {
      type: 'object',
      description: 'Why a request was rejected (RFC 9457).',
      properties: {
        type: { type: 'string', format: 'uri', description: 'The kind of problem; says the same as `code`.' },
        title: { type: 'string', description: 'Name of the HTTP status.' },
        status: { type: 'integer', description: 'The HTTP status.' },
        detail: { type: 'string', description: 'For people: what was expected, and what was found.' },
        code: {
          type: 'string',
          description: 'Stable; branch on it.',
          enum: [...new Set([...Object.keys(this.problems), ...Object.values(CODE_BY_STATUS)])].toSorted(),
        },
        request_id: {
          type: 'string',
          description: 'The service logs it; the header X-Request-Id has it too.',
        },
        errors: { type: 'array', items: { type: 'string' }, description: 'One text for each wrong field.' },
      },
      required: ['type', 'title', 'status', 'code'],
    };
  }
}
