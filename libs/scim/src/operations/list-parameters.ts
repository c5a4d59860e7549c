import { badRequest, type ScimType } from '../scim.errors.js';
import { SEARCH_REQUEST_URN } from '../urns.js';
import { SCIM_LIMITS } from './scim-limits.js';
import type { AttributeSelection } from './scim-request.js';

/** A query as the client states it, in the URL (RFC 7644 §3.4.2) or in the body of a `.search` (§3.4.3). */
export interface ListParameters extends AttributeSelection {
  readonly filter?: string;
  readonly sortBy?: string;
  readonly sortOrder?: 'ascending' | 'descending';
  /** From 1; smaller values count as 1. */
  readonly startIndex?: number;
  /** 0 to `maxPageSize`; negative values count as 0, larger ones as the maximum. */
  readonly count?: number;
  /** Present asks for cursor pagination; empty for the first page (RFC 9865 §2). */
  readonly cursor?: string;
}

/**
 * Reads the parameters of a query URL. Names are matched exactly; unknown ones are ignored.
 *
 * @throws {ScimError} 400 when a parameter is given twice or is malformed
 */
export function readListQuery(query: Readonly<Record<string, unknown>>): ListParameters {
  return readParameters(query, (value, name) => (value === undefined ? undefined : readNumeral(value, name)));
}

/** Reads the body of a `.search` request. @throws {ScimError} 400 when it is none or malformed */
export function readSearchRequest(body: unknown): ListParameters {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('invalidSyntax', 'expected a SearchRequest object as body');
  }
  const request = body as Readonly<Record<string, unknown>>;
  // RFC 7644 §3.4.3: query requests "MUST be identified using" the SearchRequest URN.
  if (!Array.isArray(request.schemas) || !request.schemas.includes(SEARCH_REQUEST_URN)) {
    throw badRequest('invalidSyntax', `schemas: expected to contain "${SEARCH_REQUEST_URN}"`);
  }
  return readParameters(request, readInteger);
}

/** Reads `attributes` and `excludedAttributes` of any request URL. */
export function readAttributeSelection(query: Readonly<Record<string, unknown>>): AttributeSelection {
  return {
    attributes: readNames(query.attributes, 'attributes'),
    excludedAttributes: readNames(query.excludedAttributes, 'excludedAttributes'),
  };
}

type ReadInteger = (value: unknown, name: string) => number | undefined;

function readParameters(source: Readonly<Record<string, unknown>>, readNumber: ReadInteger): ListParameters {
  const startIndex = readNumber(source.startIndex, 'startIndex');
  const count = readNumber(source.count, 'count');
  return {
    ...readAttributeSelection(source),
    filter: readText(source.filter, 'filter', 'invalidFilter'),
    sortBy: readText(source.sortBy, 'sortBy', 'invalidPath'),
    sortOrder: readSortOrder(source.sortOrder),
    // RFC 7644 §3.4.2.4: "A value less than 1 SHALL be interpreted as 1"; a negative count "as 0".
    startIndex: startIndex === undefined ? undefined : Math.max(startIndex, 1),
    count: count === undefined ? undefined : Math.min(Math.max(count, 0), SCIM_LIMITS.maxPageSize),
    cursor: readText(source.cursor, 'cursor', 'invalidCursor'),
  };
}

function readText(value: unknown, name: string, scimType: ScimType): string | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  if (typeof value !== 'string') {
    throw badRequest(scimType, `${name}: expected one text, found ${Array.isArray(value) ? 'several' : typeof value}`);
  }
  return value;
}

function readNumeral(value: unknown, name: string): number {
  if (typeof value !== 'string' || !/^[+-]?\d{1,16}$/.test(value.trim())) {
    throw badRequest(
      numberErrorType(name),
      `${name}: expected an integer, found ${JSON.stringify(value).slice(0, 60)}`,
    );
  }
  return readInteger(Number(value), name) ?? 0;
}

function readInteger(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  if (!Number.isSafeInteger(value)) {
    throw badRequest(
      numberErrorType(name),
      `${name}: expected an integer, found ${JSON.stringify(value).slice(0, 60)}`,
    );
  }
  return value as number;
}

// RFC 9865 §2.1 defines a keyword for a wrong count; for startIndex there is only the general one.
function numberErrorType(name: string): ScimType {
  return name === 'count' ? 'invalidCount' : 'invalidValue';
}

function readSortOrder(value: unknown): 'ascending' | 'descending' | undefined {
  const text = readText(value, 'sortOrder', 'invalidValue')?.toLowerCase();
  if (text === undefined || text === 'ascending' || text === 'descending') {
    return text;
  }
  throw badRequest(
    'invalidValue',
    `sortOrder: expected "ascending" or "descending", found ${JSON.stringify(text.slice(0, 60))}`,
  );
}

/** RFC 7644 §3.9: comma-separated in a URL, a list of strings in a body. */
function readNames(value: unknown, name: string): readonly string[] | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const names = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(names) || !names.every((item) => typeof item === 'string')) {
    throw badRequest('invalidValue', `${name}: expected attribute names`);
  }
  const trimmed = names.map((item) => item.trim()).filter((item) => item !== '');
  return trimmed.length === 0 ? undefined : trimmed;
}
