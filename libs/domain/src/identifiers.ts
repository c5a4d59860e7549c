import { DomainError } from './domain.error.js';

/** A text that should identify something does not have the form of such an identifier. */
export class InvalidIdentifierError extends DomainError {
  readonly code = 'INVALID_IDENTIFIER';

  constructor(
    readonly kind: string,
    readonly text: string,
    readonly expected: string,
  ) {
    super(`${kind}: expected ${expected}, found ${JSON.stringify(text.slice(0, 80))}`);
  }
}

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** An identity provider's name: the first part of every key. `^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`. */
export type ProviderId = Branded<'ProviderId'>;
/** A namespace, the isolation boundary that bindings point at; the same shape as a DNS label. */
export type NamespaceId = Branded<'NamespaceId'>;
/** `user:scim:<provider_id>:<external_id>`, immutable. */
export type UserId = Branded<'UserId'>;
/** `group:scim:<provider_id>:<external_id>`, immutable. */
export type GroupId = Branded<'GroupId'>;
export type ResourceId = UserId | GroupId;
/** A tenant of the proxies; the same shape as a DNS label, so that no delimiter of a backend's names can occur in it. */
export type TenantId = Branded<'TenantId'>;
/** A pool of proxies; the same shape as a DNS label. */
export type PoolName = Branded<'PoolName'>;
/** One proxy; the same shape as a DNS name: labels of 1 to 63 characters with dots between, 253 characters at most. */
export type ProxyId = Branded<'ProxyId'>;

export const RESOURCE_TYPES = ['User', 'Group'] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

export interface ResourceIdParts {
  readonly type: ResourceType;
  readonly providerId: ProviderId;
  /** What follows the third colon: the external id at creation or a generated UUIDv7. May itself contain colons. */
  readonly localId: string;
}

/** 1 to 63 characters, lower-case letters, digits and inner hyphens (RFC 1123 label). */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
export const MAX_EXTERNAL_ID_LENGTH = 255;
const MAX_DNS_NAME_LENGTH = 253;

const PREFIXES: Readonly<Record<ResourceType, string>> = { User: 'user', Group: 'group' };

/** @throws {InvalidIdentifierError} when the text is not a label of 1 to 63 characters */
export function parseProviderId(text: string): ProviderId {
  return requireLabel('provider id', text) as ProviderId;
}

/** @throws {InvalidIdentifierError} when the text is not a label of 1 to 63 characters */
export function parseNamespaceId(text: string): NamespaceId {
  return requireLabel('namespace', text) as NamespaceId;
}

/** @throws {InvalidIdentifierError} when the text is not a label of 1 to 63 characters */
export function parseTenantId(text: string): TenantId {
  return requireLabel('tenant id', text) as TenantId;
}

/** @throws {InvalidIdentifierError} when the text is not a label of 1 to 63 characters */
export function parsePoolName(text: string): PoolName {
  return requireLabel('pool', text) as PoolName;
}

/** @throws {InvalidIdentifierError} when the text is not labels with dots between, of 253 characters at most */
export function parseProxyId(text: string): ProxyId {
  if (text.length > MAX_DNS_NAME_LENGTH || !text.split('.').every((label) => LABEL.test(label))) {
    throw new InvalidIdentifierError('proxy id', text, 'labels of a-z, 0-9 and inner "-" with "." between');
  }
  return text as ProxyId;
}

function requireLabel(kind: string, text: string): string {
  if (!LABEL.test(text)) {
    throw new InvalidIdentifierError(kind, text, '1 to 63 of a-z, 0-9 and inner "-"');
  }
  return text;
}

/** Whether a text can be the last part of an identifier: 1 to 255 characters, none of them a control character, no lone surrogate. */
export function isExternalId(text: string): boolean {
  return text.length >= 1 && text.length <= MAX_EXTERNAL_ID_LENGTH && !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/** @throws {InvalidIdentifierError} when the external id has no, too many or control characters */
export function formatResourceId(type: 'User', provider: ProviderId, externalId: string): UserId;
export function formatResourceId(type: 'Group', provider: ProviderId, externalId: string): GroupId;
export function formatResourceId(type: ResourceType, provider: ProviderId, externalId: string): ResourceId;
export function formatResourceId(type: ResourceType, provider: ProviderId, externalId: string): ResourceId {
  if (!isExternalId(externalId)) {
    throw new InvalidIdentifierError('external id', externalId, '1 to 255 characters, no control characters');
  }
  return `${PREFIXES[type]}:scim:${provider}:${externalId}` as ResourceId;
}

/** Splits a full identifier at its first three colons; undefined when the text is not one. */
export function parseResourceId(text: string): ResourceIdParts | undefined {
  const match = /^(user|group):scim:([^:]*):(.*)$/su.exec(text);
  const [, prefix, providerId = '', localId = ''] = match ?? [];
  if (!LABEL.test(providerId) || !isExternalId(localId)) {
    return undefined;
  }
  return { type: prefix === 'user' ? 'User' : 'Group', providerId: providerId as ProviderId, localId };
}

/** @throws {InvalidIdentifierError} unless it is the full identifier of a group */
export function parseGroupId(text: string): GroupId {
  const parts = parseResourceId(text);
  if (parts?.type !== 'Group') {
    throw new InvalidIdentifierError('bound_subject', text, 'group:scim:<provider_id>:<external_id>');
  }
  return formatResourceId('Group', parts.providerId, parts.localId);
}

/** The type that a full identifier names, without validating the rest of it. */
export function resourceTypeOf(id: ResourceId): ResourceType {
  return id.startsWith('user:') ? 'User' : 'Group';
}

/**
 * The immutable identifiers that a reference in a URL may mean, best first: a reference is either a full
 * identifier or an external id. Empty when it can be neither (too long, control characters, another type or provider).
 */
export function candidateIds(type: ResourceType, provider: ProviderId, reference: string): ResourceId[] {
  const candidates: ResourceId[] = [];
  const parts = parseResourceId(reference);
  if (parts?.type === type && parts.providerId === provider) {
    candidates.push(reference as ResourceId);
  }
  if (isExternalId(reference)) {
    candidates.push(formatResourceId(type, provider, reference));
  }
  return candidates;
}
