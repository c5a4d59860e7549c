import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ParameterObject, SchemaObject } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ENTERPRISE_USER_SCHEMA, GROUP_SCHEMA, SCIM_LIMITS, USER_SCHEMA } from '@palisade/scim';
import request, { type Response } from 'supertest';
import type { ApiDocument, DocumentedOperation } from './support/api-document.js';
import { TOKENS, readDocument, startDocumentedApp } from './support/docs-app.js';

/** Everything that can be tried out without more than the page fills in, in the order in which a reader would. */
const OPERATIONS = [
  'createUser',
  'listUsers',
  'searchUsers',
  'getUser',
  'replaceUser',
  'patchUser',
  'createGroup',
  'listGroups',
  'searchGroups',
  'getGroup',
  'replaceGroup',
  'patchGroup',
  'listResources',
  'searchResources',
  'runBulk',
  'getServiceProviderConfig',
  'listResourceTypes',
  'getResourceType',
  'listSchemas',
  'getSchema',
  'createProvider',
  'listProviders',
  'getProvider',
  'replaceProvider',
  'issueToken',
  'listTokens',
  'getPublicKeys',
  'addBinding',
  'listBindings',
  'checkAccess',
  'listGrantsOfUser',
  'listUsersOfNamespace',
  'exportRelationships',
  'deactivateUser',
  'reconcileDeprovisioned',
  'listLogRecords',
  'followLog',
  'getLogSeal',
  'verifyLog',
  'removeBinding',
  'deleteProvider',
  'deleteGroup',
  'deleteUser',
] as const;

/** What needs a credential or an identifier of another kind. */
const OTHERS = ['getMe', 'rotateToken', 'revokeToken', 'issueAccessToken'];

let app: NestExpressApplication;
let document: ApiDocument;

beforeAll(async () => {
  app = await startDocumentedApp();
  document = await readDocument(app);
});

afterAll(() => app.close());

/** What Swagger UI fills in for a parameter: its example, or else its default. */
function filledIn({ schema }: ParameterObject): unknown {
  const { example, default: fallback } = document.resolve<SchemaObject>(schema ?? {});
  return example ?? fallback;
}

function urlOf({ path, parameters = [] }: DocumentedOperation): string {
  const filled = parameters.map((each) => document.resolve(each));
  const query = new URLSearchParams();
  let url = path;
  for (const parameter of filled) {
    const value = filledIn(parameter);
    if (parameter.in === 'path') {
      url = url.replace(`{${parameter.name}}`, encodeURIComponent(String(value)));
    } else if (parameter.in === 'query' && value !== undefined) {
      query.append(parameter.name, String(value));
    }
  }
  return `${url}?${query.toString()}`;
}

function send(operation: DocumentedOperation, type?: string, body?: unknown): Promise<Response> {
  const [scheme] = Object.keys(operation.security?.[0] ?? {});
  const method = operation.method as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const prepared = request(app.getHttpServer())[method](urlOf(operation));
  if (scheme === 'scim' || scheme === 'admin') {
    void prepared.set('Authorization', `Bearer ${TOKENS[scheme]}`);
  }
  return type === undefined ? prepared : prepared.type(type).send(JSON.stringify(body));
}

/** Each example of the operation's body; of several media types, which share their examples, the first. */
function bodiesOf({ requestBody }: DocumentedOperation): { readonly type: string; readonly body: unknown }[] {
  const { content } = document.resolve(requestBody ?? { content: {} });
  const [first] = Object.entries(content);
  const [type = '', { examples = {} }] = first ?? ['', {}];
  return Object.values(examples).map((example) => ({ type, body: document.resolve(example).value as unknown }));
}

async function tryOut(operation: DocumentedOperation): Promise<Response[]> {
  const bodies = bodiesOf(operation);
  if (bodies.length === 0) {
    return [await send(operation)];
  }
  const responses: Response[] = [];
  for (const { type, body } of bodies) {
    responses.push(await send(operation, type, body));
  }
  return responses;
}

/** RFC 7643 §7 describes attributes two levels deep; the schema of schemas, itself among the answers, has three. */
function isSurprise(violation: string): boolean {
  return !/\.attributes\[\d+\]\.subAttributes\[\d+\]\.subAttributes is not described$/.test(violation);
}

/** What about an answer is not as the operation describes it. */
function surprises({ responses }: DocumentedOperation, { status, type, body, text }: Response): string[] {
  const described = responses[status];
  if (status >= 300 || described === undefined) {
    return [`answered ${status} ${text}`];
  }
  const { content } = document.resolve(described);
  if (content === undefined) {
    return text === '' ? [] : [`answered ${text}`];
  }
  const schema = content[type]?.schema;
  const value: unknown = type.endsWith('json') && type !== 'application/x-ndjson' ? body : text;
  return schema === undefined ? [`answered ${type}`] : document.violations(value, schema).filter(isSurprise);
}

describe('the examples', () => {
  it('are of every operation', () => {
    const ids = document.operations().map(({ operationId }) => operationId);
    expect([...OPERATIONS, ...OTHERS].toSorted()).toEqual(ids.toSorted());
  });

  it('succeed one after the other, and are answered as described', async () => {
    const surprising: [string, string[]][] = [];
    for (const id of OPERATIONS) {
      const operation = document.operation(id);
      for (const response of await tryOut(operation)) {
        surprising.push([id, surprises(operation, response)]);
      }
    }
    expect(surprising.filter(([, list]) => list.length > 0)).toEqual([]);
    expect(surprising.length).toBeGreaterThan(OPERATIONS.length);
  });
});

describe('the schemas of SCIM', () => {
  const schemaOf = (name: string): SchemaObject =>
    document.resolve<SchemaObject>({ $ref: `#/components/schemas/${name}` });

  it.each([
    ['User', USER_SCHEMA],
    ['Group', GROUP_SCHEMA],
    ['EnterpriseUser', ENTERPRISE_USER_SCHEMA],
  ])('of %s have the attributes that the service validates with', (name, { attributes }) => {
    const { properties = {}, required = [] } = schemaOf(name);
    for (const attribute of attributes) {
      const property = properties[attribute.name] as SchemaObject;
      expect(property.description).toContain(attribute.description);
      expect(property.type === 'array').toBe(attribute.multiValued);
      expect(property.readOnly === true).toBe(attribute.mutability === 'readOnly');
      expect(required.includes(attribute.name)).toBe(attribute.required);
    }
  });

  it('place the enterprise extension under its URN', () => {
    expect(schemaOf('User').properties).toMatchObject({
      [ENTERPRISE_USER_SCHEMA.id]: { allOf: [{ $ref: '#/components/schemas/EnterpriseUser' }] },
    });
  });

  it('state the limits of queries and of Bulk', () => {
    const { defaultPageSize, maxPageSize, maxBulkOperations } = SCIM_LIMITS;
    const count = { type: 'integer', minimum: 0, maximum: maxPageSize, default: defaultPageSize };
    expect(schemaOf('SearchRequest').properties).toMatchObject({ count });
    const parameters = document.operation('listUsers').parameters;
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'count', in: 'query', schema: count }));
    expect(schemaOf('BulkRequest').properties).toMatchObject({ Operations: { maxItems: maxBulkOperations } });
  });
});
