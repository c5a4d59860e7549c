import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import { ENTERPRISE_URN, USER_URN } from '../support/scim-bodies.js';
import { DEVICE_EXTENSION, DEVICE_URN } from './device-extension.js';

interface PublishedAttribute {
  readonly name: string;
  readonly type: string;
  readonly multiValued: boolean;
  readonly description: string;
  readonly subAttributes?: readonly PublishedAttribute[];
}

interface PublishedSchema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly PublishedAttribute[];
}

const TYPES = new Set(['string', 'boolean', 'decimal', 'integer', 'dateTime', 'binary', 'reference', 'complex']);
/** The type of each predefined sub-attribute, as far as RFC 7643 §2.4 fixes it. */
const PREDEFINED: Readonly<Record<string, string>> = {
  type: 'string',
  primary: 'boolean',
  display: 'string',
  $ref: 'reference',
};

let app: ScimApp;
let schemas: readonly PublishedSchema[];
beforeAll(async () => {
  app = await ScimApp.start();
  const { body } = await (await app.connect({ extensions: [DEVICE_EXTENSION] })).get('/Schemas');
  schemas = body.Resources;
});
afterAll(() => app.close());

function attributesOf(schema: PublishedSchema): readonly PublishedAttribute[] {
  return schema.attributes.flatMap((attribute) => [attribute, ...(attribute.subAttributes ?? [])]);
}

function find(urn: string): PublishedSchema {
  const schema = schemas.find(({ id }) => id === urn);
  if (schema === undefined) {
    throw new Error(`/Schemas lists no ${urn}`);
  }
  return schema;
}

function namesWhere(isWrong: (attribute: PublishedAttribute) => boolean): string[] {
  return schemas.flatMap((schema) =>
    attributesOf(schema)
      .filter(isWrong)
      .map(({ name }) => `${schema.id}:${name}`),
  );
}

describe('RFC 7643 §7 schema definitions', () => {
  it('[RFC7643-1.2-1] gives sub-attributes to complex attributes only', () => {
    expect(namesWhere(({ type, subAttributes }) => type !== 'complex' && subAttributes !== undefined)).toEqual([]);
  });

  it('[RFC7643-2.1-2] names attributes as the grammar allows', () => {
    // The grammar wants a letter first; "$ref" is the name that the RFC itself gives.
    expect(namesWhere(({ name }) => name !== '$ref' && !/^[a-z][\w$-]*$/i.test(name))).toEqual([]);
  });

  it('[RFC7643-2.3-1] uses the defined data types only', () => {
    expect(namesWhere(({ type }) => !TYPES.has(type))).toEqual([]);
  });

  it('[RFC7643-2.3.8-2] nests no complex attribute in a complex one', () => {
    const nested = ({ subAttributes = [] }: PublishedAttribute) => subAttributes.some(({ type }) => type === 'complex');
    // RFC 7643 §7: the Schema resource "MAY contain a complex object within a sub-attribute".
    const others = schemas.filter(({ id }) => id !== 'urn:ietf:params:scim:schemas:core:2.0:Schema');
    expect(others.flatMap(({ attributes }) => attributes.filter(nested).map(({ name }) => name))).toEqual([]);
  });

  it('[RFC7643-2.4-2] keeps the types of the predefined sub-attributes', () => {
    const subAttributes = find(USER_URN)
      .attributes.filter(({ multiValued }) => multiValued)
      .flatMap((attribute) => attribute.subAttributes ?? []);
    const predefined = subAttributes.filter(({ name }) => name in PREDEFINED);
    expect(predefined.length).toBeGreaterThan(20);
    expect(predefined.filter(({ name, type, multiValued }) => type !== PREDEFINED[name] || multiValued)).toEqual([]);
  });

  it('[RFC7643-3.3-3] defines no attribute of the core schema again in an extension', () => {
    const core = find(USER_URN).attributes.map(({ name }) => name.toLowerCase());
    const taken = new Set([...core, 'schemas', 'id', 'externalid', 'meta']);
    const extended = find(ENTERPRISE_URN).attributes.map(({ name }) => name.toLowerCase());
    expect(extended.filter((name) => taken.has(name))).toEqual([]);
  });

  it("[RFC7643-3.3-4] publishes extensions, its own and the provider's, with all characteristics", () => {
    const attributes = [ENTERPRISE_URN, DEVICE_URN].flatMap((urn) => find(urn).attributes);
    expect(attributes.length).toBe(15);
    for (const attribute of attributes) {
      expect(attribute).toMatchObject({
        multiValued: expect.any(Boolean),
        required: expect.any(Boolean),
        mutability: expect.stringMatching(/^(readOnly|readWrite|immutable|writeOnly)$/),
        returned: expect.stringMatching(/^(always|never|default|request)$/),
      });
    }
  });

  it('[RFC7643-7-1][RFC7643-7-2][RFC7643-7-4][RFC7643-7-5] states URI, name, description and attributes of each schema', () => {
    const described = schemas.map(({ id, name, description, attributes }) => ({
      isUrn: /^urn:[a-z0-9][a-z0-9-]*:\S+$/i.test(id),
      isNamed: /\w/.test(name),
      isDescribed: /\w/.test(description),
      hasAttributes: attributes.length > 0,
    }));
    expect(described.length).toBeGreaterThanOrEqual(4);
    expect(new Set(described.map((schema) => JSON.stringify(schema)))).toEqual(
      new Set([JSON.stringify({ isUrn: true, isNamed: true, isDescribed: true, hasAttributes: true })]),
    );
  });

  it('[RFC7643-7-3] returns each schema at its URI', async () => {
    const scim = await app.connect({ extensions: [DEVICE_EXTENSION] });
    const found = await Promise.all(schemas.map(({ id }) => scim.get(`/Schemas/${id}`)));
    expect(found.map(({ body }) => body)).toEqual(
      schemas.map((schema) => expect.objectContaining({ id: schema.id, attributes: schema.attributes })),
    );
  });

  it('[RFC7643-7-6] lists the sub-attributes of every complex attribute', () => {
    expect(namesWhere(({ type, subAttributes = [] }) => type === 'complex' && subAttributes.length === 0)).toEqual([]);
  });

  it('[RFC7643-7-7] describes every attribute', () => {
    expect(namesWhere(({ description }) => !/\w/.test(description ?? ''))).toEqual([]);
  });
});
