import { describe, expect, it } from '@jest/globals';
import { SERVICE_PROVIDER_CONFIG_SCHEMA } from '../schema/service-provider.schemas.js';
import {
  BEARER_TOKEN_SCHEME,
  serviceProviderConfig,
  type ServiceProviderConfigOptions,
} from './service-provider-config.js';

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
