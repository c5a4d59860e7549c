import type { NestExpressApplication } from '@nestjs/platform-express';
import type { MediaTypeObject, ResponseObject, SchemaObject } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PRODUCT_VERSION } from '@palisade/platform';
import request from 'supertest';
import type { ApiDocument, DocumentedOperation } from './support/api-document.js';
import { expressRoutes, guardedRoutes } from './support/app-routes.js';
import { readDocument, startDocumentedApp } from './support/docs-app.js';

const DOCUMENTED = /^\w+ \/(?:scim\/v2|api\/v1|oauth)(?:\/|$)/;

/** Classes of bodies and answers of the admin API; SCIM's messages have names of their own. */
const DTO = /^(?!ListResponse|BulkResponse)\w+(?:Body|Response|Page|List|Summary)$/;

let app: NestExpressApplication;
let document: ApiDocument;

beforeAll(async () => {
  app = await startDocumentedApp();
  document = await readDocument(app);
});

afterAll(() => app.close());

const nameOf = ({ method, path }: DocumentedOperation): string => `${method} ${path}`;

/** What each operation is found guilty of, by its id. */
function faults(
  find: (operation: DocumentedOperation) => readonly unknown[],
): [string | undefined, readonly unknown[]][] {
  const found = document
    .operations()
    .map((each): [string | undefined, readonly unknown[]] => [each.operationId, find(each)]);
  return found.filter(([, list]) => list.length > 0);
}

function responsesOf({ responses }: DocumentedOperation): [status: number, response: ResponseObject][] {
  return Object.entries(responses).map(([status, response]) => [
    Number(status),
    document.resolve(response ?? { $ref: '' }),
  ]);
}

/** The examples of a body, as they are or by name. */
function examplesOf({ example, examples = {} }: MediaTypeObject): unknown[] {
  const named = Object.values(examples).map((each) => document.resolve(each).value as unknown);
  return example === undefined ? named : [example, ...named];
}

function isDescribed({ description = '', example, enum: choices, items, allOf }: SchemaObject): boolean {
  return description !== '' && [example, choices, items, allOf].some((part) => part !== undefined);
}

describe('the document of the API', () => {
  it('is OpenAPI 3.1, of the version of the product', () => {
    const { openapi, info } = document.root;
    expect({ openapi, info }).toMatchObject({
      openapi: '3.1.0',
      info: { title: expect.any(String), version: PRODUCT_VERSION },
    });
  });

  it('points at nothing that is not there', () => {
    const references = document.references();
    expect(references.length).toBeGreaterThan(100);
    expect(references.map(($ref) => document.resolve({ $ref })).every(Boolean)).toBe(true);
  });

  it('has every route that Express has, and no others', () => {
    const routes = new Set(expressRoutes(app).filter((route) => DOCUMENTED.test(route)));
    expect(routes.size).toBeGreaterThan(40);
    expect(new Set(document.operations().map(nameOf))).toEqual(routes);
  });

  it('demands of callers what the guard demands', () => {
    const access = guardedRoutes(app);
    const demanded = document.operations().map((each) => [nameOf(each), each.security]);
    const guarded = document.operations().map((each) => {
      const route = access.get(nameOf(each));
      switch (route?.kind) {
        case 'scim':
          return [nameOf(each), [{ scim: [] }]];
        case 'admin':
          return [nameOf(each), [{ admin: [route.scope] }]];
        default:
          return [nameOf(each), route === undefined ? 'nobody' : undefined];
      }
    });
    expect(demanded).toEqual(guarded);
  });

  it('gives each operation an id of its own and a summary', () => {
    const ids = document.operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z]+$/.test(id ?? ''))).toEqual([]);
    expect(faults(({ summary = '' }) => (summary === '' ? ['no summary'] : []))).toEqual([]);
  });

  it('puts each operation under one tag, and has no tag without operations', () => {
    const tags = document.root.tags ?? [];
    expect(faults(({ tags: [tag, ...more] = [] }) => (tag === undefined || more.length > 0 ? ['tags'] : []))).toEqual(
      [],
    );
    const used = new Set(document.operations().flatMap(({ tags: own = [] }) => own));
    expect(used).toEqual(new Set(tags.map(({ name }) => name)));
    expect(tags.filter(({ description = '' }) => !description.endsWith('.'))).toEqual([]);
  });

  it('describes each parameter', () => {
    const wrong = faults(({ path, parameters = [] }) => {
      const all = parameters.map((each) => document.resolve(each));
      const named = all.filter((each) => each.in === 'path').map(({ name }) => name);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const bare = all.filter(({ description = '', schema }) => description === '' || !(schema && 'type' in schema));
      return [...bare.map(({ name }) => name), ...new Set(named).symmetricDifference(new Set(inPath))];
    });
    expect(wrong).toEqual([]);
  });

  it('describes an answer to success and the errors of each operation', () => {
    const wrong = faults((operation) => {
      const statuses = responsesOf(operation).map(([status]) => status);
      const hasBody = operation.requestBody !== undefined;
      const isGuarded = operation.security !== undefined;
      const expected = [...(isGuarded ? [401] : []), ...(isGuarded && hasBody ? [400, 413, 415] : []), 500, 503];
      const missing = expected.filter((status) => !statuses.includes(status));
      return statuses.some((status) => status >= 200 && status < 300) ? missing : [200, ...missing];
    });
    expect(wrong).toEqual([]);
  });

  it('says what each response means, and what is in it unless that is nothing', () => {
    const wrong = faults((operation) =>
      responsesOf(operation).filter(([status, { description, content }]) => {
        const isEmpty = status === 204 || status === 304;
        return description === '' || isEmpty === (content !== undefined);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('gives errors the form that the API gives them', () => {
    const wrong = faults(({ path, ...operation }) => {
      const form = path.startsWith('/scim') ? 'application/scim+json' : 'application/problem+json';
      const errors = responsesOf({ path, ...operation }).filter(
        ([status]) => status >= (path === '/oauth/token' ? 500 : 400),
      );
      return errors.filter(([, { content = {} }]) => Object.keys(content).join() !== form);
    });
    expect(wrong).toEqual([]);
  });

  it('has examples of answers that are as their schemas say', () => {
    const wrong = faults((operation) =>
      responsesOf(operation).flatMap(([, { content = {} }]) =>
        Object.values(content).flatMap((media) =>
          examplesOf(media).flatMap((example) => document.violations(example, media.schema ?? {})),
        ),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('describes each field of the admin API, with an example or the choices that there are', () => {
    const schemas = Object.entries(document.root.components?.schemas ?? {}).filter(([name]) => DTO.test(name));
    expect(schemas.length).toBeGreaterThan(20);
    const bare = schemas.flatMap(([name, schema]) =>
      Object.entries((schema as SchemaObject).properties ?? {})
        .filter(([, field]) => !isDescribed(field as SchemaObject))
        .map(([field]) => `${name}.${field}`),
    );
    expect(bare).toEqual([]);
  });

  it('has nothing of SCIM where SCIM is switched off', async () => {
    const other = await startDocumentedApp({ isScimEnabled: false });
    const { root } = await readDocument(other);
    await other.close();
    expect(Object.keys(root.paths).filter((path) => path.startsWith('/scim'))).toEqual([]);
    expect(Object.keys(root.components?.securitySchemes ?? {})).toEqual(['admin']);
    expect(root.tags?.filter(({ name }) => name.startsWith('SCIM'))).toEqual([]);
    expect(root.components?.schemas).not.toHaveProperty('User');
  });
});

describe('the API page', () => {
  it('needs no credential', async () => {
    const { text } = await request(app.getHttpServer())
      .get('/docs')
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    expect(text).toContain('<title>Palisade SCIM service</title>');
  });

  it('loads nothing but what this service has', async () => {
    const { text } = await request(app.getHttpServer()).get('/docs').expect(200);
    const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      const { origin, pathname } = new URL(link, 'http://service/docs');
      expect(origin).toBe('http://service');
      await request(app.getHttpServer()).get(pathname).expect(200);
    }
  });

  it('asks no validator on the internet about the document', async () => {
    const { text } = await request(app.getHttpServer()).get('/docs/swagger-ui-init.js').expect(200);
    expect(text).toContain('"validatorUrl": "none"');
  });

  it('may run and ask this service only, with styles in the page', async () => {
    const { headers, text } = await request(app.getHttpServer()).get('/docs').expect(200);
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'self'", "style-src 'self' 'unsafe-inline'", "frame-ancestors 'none'"]),
    );
    expect(policy).not.toMatch(/script-src|connect-src|https?:/);
    expect(text).not.toMatch(/<script(?![^>]* src=)/);
    expect(text).not.toMatch(/ on\w+=/);
  });

  it('does not keep tokens in the browser', async () => {
    const { text } = await request(app.getHttpServer()).get('/docs/swagger-ui-init.js').expect(200);
    expect(text).toContain('"persistAuthorization": false');
  });
});
