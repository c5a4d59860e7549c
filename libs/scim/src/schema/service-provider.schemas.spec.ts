import { describe, expect, it } from '@jest/globals';
import type { AttributeDefinition } from '@palisade/domain';
import { RESOURCE_TYPE_SCHEMA, SCHEMA_SCHEMA, SERVICE_PROVIDER_CONFIG_SCHEMA } from './service-provider.schemas.js';

const DEFINITIONS = [SERVICE_PROVIDER_CONFIG_SCHEMA, RESOURCE_TYPE_SCHEMA, SCHEMA_SCHEMA];

function withSubAttributes(attribute: AttributeDefinition): AttributeDefinition[] {
  return [attribute, ...(attribute.subAttributes ?? []).flatMap(withSubAttributes)];
}

function namesOf(attribute: AttributeDefinition | undefined): string[] {
  return attribute?.subAttributes?.map(({ name }) => name) ?? [];
}

describe('service provider schemas', () => {
  it.each(DEFINITIONS)('[RFC7643-5] [RFC7643-6] [RFC7643-7] lets clients change nothing of $name', ({ attributes }) => {
    const mutabilities = attributes.flatMap(withSubAttributes).map(({ mutability }) => mutability);

    expect(new Set(mutabilities)).toEqual(new Set(['readOnly']));
  });

  it('[RFC7643-5] requires every feature to be announced', () => {
    const required = SERVICE_PROVIDER_CONFIG_SCHEMA.attributes.filter((attribute) => attribute.required);

    expect(required.map(({ name }) => name)).toEqual([
      'patch',
      'bulk',
      'filter',
      'changePassword',
      'sort',
      'etag',
      'authenticationSchemes',
    ]);
  });

  it('[RFC9865-4] defines pagination, optional, with its required flags', () => {
    const pagination = SERVICE_PROVIDER_CONFIG_SCHEMA.attributes.find(({ name }) => name === 'pagination');

    expect(pagination?.required).toBe(false);
    expect(namesOf(pagination)).toEqual([
      'cursor',
      'index',
      'defaultPaginationMethod',
      'defaultPageSize',
      'maxPageSize',
      'cursorTimeout',
    ]);
    expect(pagination?.subAttributes?.filter((sub) => sub.required).map(({ name }) => name)).toEqual([
      'cursor',
      'index',
    ]);
  });

  it('[RFC7643-7] describes sub-attributes by the same characteristics as attributes', () => {
    const attributes = SCHEMA_SCHEMA.attributes.find(({ name }) => name === 'attributes');
    const subAttributes = attributes?.subAttributes?.find(({ name }) => name === 'subAttributes');

    expect([...namesOf(subAttributes), 'subAttributes']).toEqual(namesOf(attributes));
  });

  it('[RFC7643-7] returns the id of a schema always', () => {
    expect(SCHEMA_SCHEMA.attributes[0]).toMatchObject({ name: 'id', returned: 'always' });
  });
});
