import { describe, expect, it } from '@jest/globals';
import {
  BEARER_TOKEN_SCHEME,
  resourceTypeResources,
  schemaResources,
  serviceProviderConfig,
  type ServiceProviderConfigOptions,
} from './discovery.js';
import { createResourceSchema } from './schema/create-resource-schema.js';
import { SERVICE_PROVIDER_CONFIG_SCHEMA } from './schema/service-provider.schemas.js';
import { validateExtension } from './schema/validate-extension.js';

function createConfig(overrides: Partial<ServiceProviderConfigOptions> = {}) {
  return serviceProviderConfig({
    baseUrl: '/scim/v2',
    defaultPageSize: 100,
    maxPageSize: 1000,
    maxOperations: 50,
    maxPayloadSize: 4096,
    ...overrides,
  });
}

describe(serviceProviderConfig.name, () => {
  it('[RFC7643-5] announces what is supported', () => {
    expect(createConfig()).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 50, maxPayloadSize: 4096 },
      filter: { supported: true, maxResults: 1000 },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true },
      meta: { resourceType: 'ServiceProviderConfig', location: '/scim/v2/ServiceProviderConfig' },
    });
  });

  it('[RFC9865-4] announces both ways of pagination, without an end to the life of cursors', () => {
    expect(createConfig().pagination).toEqual({
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: 100,
      maxPageSize: 1000,
    });
  });

  it('[RFC7643-5] announces bearer tokens first, and OAuth 2.0', () => {
    expect(createConfig().authenticationSchemes).toMatchObject([
      { type: 'oauthbearertoken', primary: true },
      { type: 'oauth2' },
    ]);
  });

  it('announces the schemes that it is given', () => {
    const documentationUri = 'https://docs.example/tokens';
    const { authenticationSchemes } = createConfig({
      authenticationSchemes: [{ ...BEARER_TOKEN_SCHEME, documentationUri }],
    });

    expect(authenticationSchemes).toEqual([{ ...BEARER_TOKEN_SCHEME, documentationUri }]);
  });

  it('holds documentationUri only if there is one, and no null', () => {
    expect(createConfig()).not.toHaveProperty('documentationUri');
    expect(createConfig({ documentationUri: 'https://docs.example' }).documentationUri).toBe('https://docs.example');
    expect(JSON.stringify(createConfig())).not.toContain('null');
  });

  it('[RFC7643-5] has every attribute that its schema requires', () => {
    const required = SERVICE_PROVIDER_CONFIG_SCHEMA.attributes.filter((attribute) => attribute.required);

    expect(Object.keys(createConfig())).toEqual(expect.arrayContaining(required.map(({ name }) => name)));
  });
});

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
