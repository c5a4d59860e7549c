import { isObject, type JsonValue, type ResourceType } from '@palisade/domain';
import { SCIM_LIMITS } from '../operations/scim-limits.js';
import { badRequest, ScimError } from '../scim.errors.js';
import { BULK_REQUEST_URN } from '../urns.js';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
const ENDPOINTS: Readonly<Record<string, ResourceType>> = { users: 'User', groups: 'Group' };

/** One operation as the client sent it; what is wrong with it alone is in `problem` and fails only this operation. */
export interface BulkOperation {
  /** In upper case; absent when the client gave none. */
  readonly method?: string;
  readonly bulkId?: string;
  readonly version?: string;
  readonly data?: JsonValue;
  readonly target?: { readonly type: ResourceType; readonly reference?: string };
  readonly problem?: ScimError;
}

export interface BulkRequest {
  /** Processing stops after this many failed operations; absent: never (RFC 7644 §3.7). */
  readonly failOnErrors?: number;
  readonly operations: readonly BulkOperation[];
}

type Fields = Readonly<Record<string, unknown>>;

/** @throws {ScimError} 400 when the body is no BulkRequest, 413 when it has too many operations */
export function parseBulk(body: unknown): BulkRequest {
  if (!isObject(body)) {
    throw badRequest('invalidSyntax', 'expected a BulkRequest object as body');
  }
  if (!Array.isArray(body.schemas) || !body.schemas.includes(BULK_REQUEST_URN)) {
    throw badRequest('invalidSyntax', `schemas: expected to contain "${BULK_REQUEST_URN}"`);
  }
  const { failOnErrors, Operations: operations } = body;
  if (failOnErrors !== undefined && failOnErrors !== null && !isPositiveInteger(failOnErrors)) {
    throw badRequest('invalidValue', 'failOnErrors: expected an integer from 1');
  }
  if (!Array.isArray(operations)) {
    throw badRequest('invalidSyntax', 'Operations: expected a list');
  }
  if (operations.length > SCIM_LIMITS.maxBulkOperations) {
    // RFC 7644 §3.7.4: more than maxOperations → 413, naming the limit.
    throw new ScimError(
      413,
      undefined,
      `Operations: expected at most ${SCIM_LIMITS.maxBulkOperations}, found ${operations.length}`,
    );
  }
  const parsed = operations.map(parseOperation);
  rejectRepeatedBulkIds(parsed);
  return { failOnErrors: isPositiveInteger(failOnErrors) ? failOnErrors : undefined, operations: parsed };
}

function parseOperation(operation: unknown): BulkOperation {
  if (!isObject(operation)) {
    return { problem: badRequest('invalidSyntax', 'expected an operation object') };
  }
  const method = typeof operation.method === 'string' ? operation.method.toUpperCase() : undefined;
  const bulkId = typeof operation.bulkId === 'string' && operation.bulkId !== '' ? operation.bulkId : undefined;
  const version = typeof operation.version === 'string' ? operation.version : undefined;
  const target = parsePath(operation.path);
  const data = operation.data as JsonValue | undefined;
  const problem = findProblem(method, operation, target, bulkId);
  return { method, bulkId, version, data, target, problem };
}

function findProblem(
  method: string | undefined,
  { path, data }: Fields,
  target: BulkOperation['target'],
  bulkId: string | undefined,
): ScimError | undefined {
  if (!METHODS.some((known) => known === method)) {
    return badRequest(
      'invalidSyntax',
      `method: expected ${METHODS.join(', ')}, found ${JSON.stringify(method?.slice(0, 20) ?? null)}`,
    );
  }
  if (target === undefined || (target.reference === undefined) !== (method === 'POST')) {
    const expected = method === 'POST' ? '"/Users" or "/Groups"' : '"/Users/{id}" or "/Groups/{id}"';
    return badRequest('invalidPath', `path: expected ${expected}, found ${JSON.stringify(path ?? null).slice(0, 300)}`);
  }
  if (method === 'POST' && bulkId === undefined) {
    // RFC 7644 §3.7: bulkId is "REQUIRED when 'method' is 'POST'".
    return badRequest('invalidSyntax', 'bulkId: expected a text, it is required for POST');
  }
  if (method !== 'DELETE' && !isObject(data)) {
    return badRequest('invalidSyntax', `data: expected an object, it is required for ${method}`);
  }
  return undefined;
}

function parsePath(path: unknown): BulkOperation['target'] {
  const [, endpoint = '', encoded] = (typeof path === 'string' && /^\/([A-Za-z]+)(?:\/([^/]+))?$/.exec(path)) || [];
  const type = Object.hasOwn(ENDPOINTS, endpoint.toLowerCase()) ? ENDPOINTS[endpoint.toLowerCase()] : undefined;
  if (type === undefined) {
    return undefined;
  }
  try {
    return { type, reference: encoded === undefined ? undefined : decodeURIComponent(encoded) };
  } catch {
    return undefined;
  }
}

// RFC 7644 §3.7: "The 'bulkId' attribute value MUST be unique" within one request.
function rejectRepeatedBulkIds(operations: readonly BulkOperation[]): void {
  const seen = new Set<string>();
  for (const { method, bulkId } of operations) {
    if (method === 'POST' && bulkId !== undefined) {
      if (seen.has(bulkId)) {
        throw badRequest(
          'invalidValue',
          `bulkId: expected to be unique, found ${JSON.stringify(bulkId.slice(0, 300))} twice`,
        );
      }
      seen.add(bulkId);
    }
  }
}

function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
