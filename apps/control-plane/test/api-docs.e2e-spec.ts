import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import { PRODUCT_VERSION } from '@palisade/platform';
import { REGISTER_TENANT_EXAMPLES, REPLACE_TENANT_EXAMPLES } from '../src/tenants/tenants.dto.js';
import { EXPLAIN_EXAMPLES } from '../src/routing/routing.dto.js';
import { ControlApp } from './support/control-app.js';

let app: ControlApp;
let info: OpenAPIObject['info'];
let operations: [name: string, operation: OperationObject][];

beforeAll(async () => {
  app = await ControlApp.start();
  const { body } = await app.request('get', '/docs-json').expect(200);
  const document = body as OpenAPIObject;
  info = document.info;
  operations = Object.entries(document.paths).flatMap(([path, { get, post, put, patch, delete: remove }]) =>
    Object.entries({ get, post, put, patch, delete: remove }).flatMap(([method, operation]) =>
      operation === undefined ? [] : [[`${method} ${path}`, operation] as [string, OperationObject]],
    ),
  );
});
afterAll(() => app.close());

describe('the API document', () => {
  it('is of the version of the product', () => {
    expect(info.version).toBe(PRODUCT_VERSION);
  });

  it('is what the address of the service leads to', async () => {
    await app.request('get', '/').expect(302).expect('Location', 'docs');
    await app.request('post', '/').expect(404);
  });

  it('has every route of the API', () => {
    const routes = app
      .routes()
      .filter(([, path]) => path.startsWith('/api/v1/'))
      .map(([method, path]) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(([name]) => name).toSorted()).toEqual(routes.toSorted());
  });

  it('gives every operation an id of its own, a summary, a tag and the scope that it needs', () => {
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
    for (const [name, { operationId, summary, tags, security }] of operations) {
      expect([name, operationId, summary, tags, security]).toEqual([
        name,
        expect.stringMatching(/^[a-z][A-Za-z]+$/),
        expect.stringMatching(/^[A-Z].*[^.]$/),
        [expect.any(String)],
        [{ admin: [expect.stringMatching(/^(read|operate|admin)$/)] }],
      ]);
    }
  });

  it('tells of every operation what may go wrong', () => {
    for (const [name, { responses, requestBody }] of operations) {
      const expected =
        requestBody === undefined ? ['401', '403', '500', '503'] : ['400', '401', '403', '413', '415', '500', '503'];
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(expected)]);
    }
  });

  it('describes every parameter', () => {
    const parameters = operations.flatMap(([name, operation]) =>
      (operation.parameters ?? []).map((each) => [name, each] as const),
    );
    for (const [name, parameter] of parameters) {
      expect([name, parameter]).toEqual([name, expect.objectContaining({ description: expect.stringMatching(/\S/) })]);
    }
  });
});

describe('the examples of the API pages', () => {
  it('succeed in the order in which a reader tries them', async () => {
    const valuesOf = (examples: object): object[] =>
      Object.values(examples).map(({ value }: { value: object }) => value);
    for (const body of valuesOf(REGISTER_TENANT_EXAMPLES)) {
      await app.api('post', '/tenants').send(body).expect(201);
    }
    for (const body of valuesOf(REPLACE_TENANT_EXAMPLES)) {
      await app.api('put', '/tenants/acme').send(body).expect(200);
    }
    for (const body of valuesOf(EXPLAIN_EXAMPLES)) {
      await app.api('post', '/routing/explain').send(body).expect(200);
    }
    const { body } = await app.api('get', '/routing/resolve?namespace=acme-orders').expect(200);
    expect(body.tenant_id).toBe('acme');
  });
});
