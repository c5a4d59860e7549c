import {
  DEFAULT_PROVIDER_SETTINGS,
  type Provider,
  type ProviderDraft,
  type SchemaExtension,
  type TrustedIssuer,
} from '@palisade/domain';
import { readExtensions } from './provider-extensions.js';
import type { ProviderResponse, ProviderSettingsBody, TrustedIssuerBody } from './providers.dto.js';

/** @throws {InvalidRequestError} when an extension is not a valid one */
export function toProviderDraft(body: ProviderSettingsBody): ProviderDraft {
  const defaults = DEFAULT_PROVIDER_SETTINGS;
  return {
    displayName: body.display_name,
    settings: {
      dialect: body.dialect ?? defaults.dialect,
      repeatCreate: body.repeat_create ?? defaults.repeatCreate,
      unknownMembers: body.unknown_members ?? defaults.unknownMembers,
      extensions: readExtensions(body.extensions ?? []),
      trustedIssuers: (body.trusted_issuers ?? []).map(toTrustedIssuer),
    },
  };
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
