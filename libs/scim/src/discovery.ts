import type { AttributeDefinition, JsonObject, SchemaDefinition } from '@palisade/domain';
import { RESOURCE_ENDPOINTS } from './schema/create-resource-schema.js';
import type { ResourceSchema } from './schema/resource-schema.js';
import {
  RESOURCE_TYPE_SCHEMA,
  SCHEMA_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
} from './schema/service-provider.schemas.js';
import { RESOURCE_TYPE_URN, SCHEMA_URN, SERVICE_PROVIDER_CONFIG_URN } from './urns.js';

/** One way to authenticate (RFC 7643 §5). */
export interface AuthenticationScheme {
  readonly type: 'oauthbearertoken' | 'oauth2';
  readonly name: string;
  readonly description: string;
  readonly specUri?: string;
  readonly documentationUri?: string;
  readonly primary?: boolean;
}

export const BEARER_TOKEN_SCHEME: AuthenticationScheme = {
  type: 'oauthbearertoken',
  name: 'OAuth Bearer Token',
  description: 'A bearer token in the Authorization header.',
  specUri: 'https://www.rfc-editor.org/info/rfc6750',
  primary: true,
};

export const OAUTH2_SCHEME: AuthenticationScheme = {
  type: 'oauth2',
  name: 'OAuth 2.0',
  description: 'An access token obtained with client credentials, or issued by an issuer that the provider trusts.',
  specUri: 'https://www.rfc-editor.org/info/rfc6749',
};

export interface ServiceProviderConfigOptions {
  /** Where the protocol's root is, without a trailing slash. */
  readonly baseUrl: string;
  readonly documentationUri?: string;
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
  /** How many operations one bulk request may have. */
  readonly maxOperations: number;
  /** How large one bulk request may be, in bytes. */
  readonly maxPayloadSize: number;
  /** Default: bearer tokens and OAuth 2.0. */
  readonly authenticationSchemes?: readonly AuthenticationScheme[];
}

/** What the service supports (RFC 7643 §5, RFC 9865 §4), as `GET /ServiceProviderConfig` answers it. */
export function serviceProviderConfig(options: ServiceProviderConfigOptions): JsonObject {
  const { documentationUri, defaultPageSize, maxPageSize } = options;
  const schemes = options.authenticationSchemes ?? [BEARER_TOKEN_SCHEME, OAUTH2_SCHEME];
  return {
    schemas: [SERVICE_PROVIDER_CONFIG_URN],
    ...(documentationUri === undefined ? {} : { documentationUri }),
    patch: { supported: true },
    bulk: { supported: true, maxOperations: options.maxOperations, maxPayloadSize: options.maxPayloadSize },
    filter: { supported: true, maxResults: maxPageSize },
    // Passwords are accepted and discarded: nothing here authenticates users.
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      // RFC 9865 §2.4: "should use index as the default pagination method to avoid incompatibility".
      defaultPaginationMethod: 'index',
      defaultPageSize,
      maxPageSize,
      // RFC 9865 §4: no cursorTimeout "may mean that there is no cursor timeout"; cursors do not expire.
    },
    authenticationSchemes: schemes.map(schemeResource),
    meta: { resourceType: 'ServiceProviderConfig', location: `${options.baseUrl}/ServiceProviderConfig` },
  };
}

function schemeResource({ specUri, documentationUri, primary, ...scheme }: AuthenticationScheme): JsonObject {
  return {
    ...scheme,
    ...(specUri === undefined ? {} : { specUri }),
    ...(documentationUri === undefined ? {} : { documentationUri }),
    ...(primary === undefined ? {} : { primary }),
  };
}

/**
 * The resource types (RFC 7643 §6), as `GET /ResourceTypes` lists them.
 *
 * @param baseUrl where the protocol's root is, without a trailing slash
 */
export function resourceTypeResources(schemas: readonly ResourceSchema[], baseUrl: string): JsonObject[] {
  return schemas.map(({ type, core, extensions }) => ({
    schemas: [RESOURCE_TYPE_URN],
    id: type,
    name: type,
    description: core.description,
    endpoint: `/${RESOURCE_ENDPOINTS[type]}`,
    schema: core.id,
    ...(extensions.length === 0
      ? {}
      : { schemaExtensions: extensions.map(({ schema, required }) => ({ schema: schema.id, required })) }),
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${type}` },
  }));
}

/**
 * Every schema that resources use, extensions included, and those of the discovery resources themselves (RFC 7643 §7),
 * each once, as `GET /Schemas` lists them. Nothing in them is null: Entra ID fails on that.
 *
 * @param baseUrl where the protocol's root is, without a trailing slash
 */
export function schemaResources(schemas: readonly ResourceSchema[], baseUrl: string): JsonObject[] {
  const definitions = new Map(
    [
      ...schemas.flatMap((schema) => schema.schemas),
      SERVICE_PROVIDER_CONFIG_SCHEMA,
      RESOURCE_TYPE_SCHEMA,
      SCHEMA_SCHEMA,
    ].map((definition) => [definition.id, definition]),
  );
  return [...definitions.values()].map((definition) => schemaResource(definition, baseUrl));
}

function schemaResource({ id, name, description, attributes }: SchemaDefinition, baseUrl: string): JsonObject {
  return {
    schemas: [SCHEMA_URN],
    id,
    name,
    description,
    attributes: attributes.map(attributeResource),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
  };
}

// RFC 7643 §7. Complex attributes are nested two deep at most, in the schema of schemas.
function attributeResource(attribute: AttributeDefinition): JsonObject {
  const { canonicalValues, referenceTypes, subAttributes } = attribute;
  return {
    name: attribute.name,
    type: attribute.type,
    multiValued: attribute.multiValued,
    description: attribute.description,
    required: attribute.required,
    ...(canonicalValues === undefined ? {} : { canonicalValues }),
    caseExact: attribute.caseExact,
    mutability: attribute.mutability,
    returned: attribute.returned,
    uniqueness: attribute.uniqueness,
    ...(referenceTypes === undefined ? {} : { referenceTypes }),
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(attributeResource) }),
  };
}
