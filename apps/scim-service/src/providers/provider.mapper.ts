import {
  type Provider,
  type ProviderDraft,
  type ProviderId,
  RESOURCE_TYPES,
  type SchemaExtension,
  type TrustedIssuer,
} from '@palisade/domain';
import { InvalidRequestError } from '@palisade/platform';
import { createResourceSchema, ScimError, validateExtension } from '@palisade/scim';
import type {
  ProviderResponse,
  ProviderSettingsBody,
  ReplaceProviderBody,
  TrustedIssuerBody,
} from './providers.dto.js';

/** @throws {InvalidRequestError} when an extension is not a valid one */
export function toProviderDraft(body: ProviderSettingsBody): ProviderDraft {
  return {
    displayName: body.display_name,
    settings: {
      dialect: body.dialect,
      repeatCreate: body.repeat_create,
      unknownMembers: body.unknown_members,
      extensions: readExtensions(body.extensions),
      trustedIssuers: body.trusted_issuers.map(toTrustedIssuer),
    },
  };
}

/** @throws {InvalidRequestError} also when the body is that of another provider */
export function toReplacement(id: ProviderId, body: ReplaceProviderBody): ProviderDraft {
  if (body.id !== undefined && body.id !== id) {
    throw new InvalidRequestError('id', `"${id}", as in the path`);
  }
  return toProviderDraft(body);
}

export function toProviderResponse({ id, displayName, settings, createdAt, modifiedAt }: Provider): ProviderResponse {
  return {
    id,
    display_name: displayName,
    dialect: settings.dialect,
    repeat_create: settings.repeatCreate,
    unknown_members: settings.unknownMembers,
    extensions: settings.extensions.map(toExtensionBody),
    trusted_issuers: settings.trustedIssuers.map(toTrustedIssuerBody),
    created_at: createdAt.toISOString(),
    modified_at: modifiedAt.toISOString(),
  };
}

function toTrustedIssuer({ issuer, audience, subject, jwks_uri, role, user_claim }: TrustedIssuerBody): TrustedIssuer {
  return { issuer, audience, subject, jwksUri: jwks_uri, role, userClaim: user_claim };
}

function toTrustedIssuerBody({ jwksUri, userClaim, ...same }: TrustedIssuer): TrustedIssuerBody {
  const { issuer, audience, subject, role } = same;
  return { issuer, audience, subject, jwks_uri: jwksUri, role, user_claim: userClaim };
}

function toExtensionBody({ resourceType, required, schema }: SchemaExtension): object {
  return { resource_type: resourceType, required, schema };
}

/**
 * A provider's schema extensions from a request body.
 *
 * @throws {InvalidRequestError} naming the first thing that is wrong
 */
export function readExtensions(bodies: readonly unknown[]): readonly SchemaExtension[] {
  try {
    const extensions = bodies.map((body, index) => validateExtension(withDomainNames(body), `extensions[${index}]`));
    for (const type of RESOURCE_TYPES) {
      createResourceSchema(type, extensions);
    }
    return extensions;
  } catch (error) {
    if (error instanceof ScimError) {
      throw new InvalidRequestError('extensions', `valid schema extensions; ${error.detail}`, { cause: error });
    }
    throw error;
  }
}

function withDomainNames(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('resource_type' in body)) {
    return body;
  }
  const { resource_type: resourceType, ...rest } = body;
  return { ...rest, resourceType };
}
