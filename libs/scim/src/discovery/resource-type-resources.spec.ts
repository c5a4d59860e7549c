import { describe, expect, it } from '@jest/globals';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { resourceTypeResources } from './resource-type-resources.js';

describe(resourceTypeResources.name, () => {
  const [user, group] = resourceTypeResources(
    [createResourceSchema('User'), createResourceSchema('Group')],
    '/scim/v2',
  );

  it('[RFC7643-6] describes users with their extension', () => {
    expect(user).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
      id: 'User',
      name: 'User',
      description: 'An account of a person or a service.',
      endpoint: '/Users',
      schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
      schemaExtensions: [{ schema: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', required: false }],
      meta: { resourceType: 'ResourceType', location: '/scim/v2/ResourceTypes/User' },
    });
  });

  it('[RFC7643-6] describes groups, without the optional list of extensions', () => {
    expect(group).toMatchObject({ id: 'Group', endpoint: '/Groups' });
    expect(group).not.toHaveProperty('schemaExtensions');
  });
});
