import { describe, expect, it } from '@jest/globals';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { validateExtension } from '../schema/validate-extension.js';
import { schemaResources } from './schema-resources.js';

const extension = validateExtension({
  resourceType: 'User',
  schema: { id: 'urn:acme:hr', name: 'HR', attributes: [{ name: 'badge', canonicalValues: ['A'] }] },
});
const schemas = [createResourceSchema('User', [extension]), createResourceSchema('Group')];
const resources = schemaResources(schemas, '/scim/v2');

describe(schemaResources.name, () => {
  it('[RFC7644-4] lists every schema once', () => {
    expect(resources.map(({ id }) => id)).toEqual([
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      'urn:acme:hr',
      'urn:ietf:params:scim:schemas:core:2.0:Group',
      'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
      'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
      'urn:ietf:params:scim:schemas:core:2.0:Schema',
    ]);
  });

  it('[RFC7643-7] represents a schema', () => {
    expect(resources[2]).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      id: 'urn:acme:hr',
      name: 'HR',
      description: 'HR',
      attributes: [
        {
          name: 'badge',
          type: 'string',
          multiValued: false,
          description: 'badge',
          required: false,
          canonicalValues: ['A'],
          caseExact: false,
          mutability: 'readWrite',
          returned: 'default',
          uniqueness: 'none',
        },
      ],
      meta: { resourceType: 'Schema', location: '/scim/v2/Schemas/urn:acme:hr' },
    });
  });

  it('[RFC7643-8.7.1] describes sub-attributes', () => {
    expect(resources[0]?.attributes).toContainEqual(
      expect.objectContaining({
        name: 'emails',
        subAttributes: ['value', 'display', 'type', 'primary'].map((name) => expect.objectContaining({ name })),
      }),
    );
  });

  it('holds no null, as Entra ID fails on one', () => {
    expect(JSON.stringify(resources)).not.toContain('null');
  });
});
