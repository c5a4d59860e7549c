import { hash } from 'node:crypto';
import { PreconditionFailedError, type StoredResource } from '@palisade/domain';
import { badRequest, type ScimError } from '../scim.errors.js';
import { quote } from '../schema/invalid-value.js';

const FINGERPRINT_LENGTH = 10;

// RFC 9110 §8.8.3: entity-tag = [ weak ] opaque-tag; §5.6.1: elements of a list may be empty.
const LIST_ELEMENT = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/**
 * The entity tag of a resource: weak, because the same version may be represented with other attributes (RFC 7643 §3.1).
 * `W/"<version>"`; for a user whose groups are loaded, and for a group whose members are, `W/"<version>.<fingerprint>"`,
 * because what is shown of those changes without the version. ADR-0006.
 */
export function formatVersion(resource: StoredResource): string {
  return `W/"${opaqueTag(resource)}"`;
}

/**
 * Whether `If-None-Match` names what the client would get again: `*`, or one of the tags is that of the resource as it is
 * loaded, by weak comparison (RFC 9110 §13.1.2).
 *
 * @throws {ScimError} 400 invalidSyntax when the header is no list of entity tags
 */
export function matchesVersion(header: string, resource: StoredResource): boolean {
  const tags = parseTags(header, 'If-None-Match');
  return tags === '*' || tags.includes(opaqueTag(resource));
}

/** The headers `If-Match` and `If-None-Match` of a request. */
export interface Preconditions {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

/**
 * Checks `If-Match` before a resource is read: RFC 9110 §13.1.1 gives the header a meaning for every method.
 *
 * @throws {PreconditionFailedError} {@link ScimError} 400 invalidSyntax when the header is not a list of entity tags
 */
export function checkBeforeReading({ ifMatch }: Preconditions, resource: StoredResource): void {
  if (ifMatch !== undefined && !namesVersion(ifMatch, 'If-Match', resource)) {
    throw new PreconditionFailedError(ifMatch, formatVersion(resource));
  }
}

/**
 * Checks both headers before a resource is changed: `If-Match` has to name its version (RFC 7644 §3.14: the change is made
 * only to the version that the client has seen), `If-None-Match` must not (RFC 9110 §13.1.2: 412 for all methods but GET
 * and HEAD).
 *
 * @throws {PreconditionFailedError} {@link ScimError} 400 invalidSyntax when a header is not a list of entity tags
 */
export function checkBeforeChanging(preconditions: Preconditions, resource: StoredResource): void {
  checkBeforeReading(preconditions, resource);
  const { ifNoneMatch } = preconditions;
  if (ifNoneMatch !== undefined && namesVersion(ifNoneMatch, 'If-None-Match', resource)) {
    throw new PreconditionFailedError(`none of ${ifNoneMatch}`, formatVersion(resource));
  }
}

/**
 * Whether a header is `*`, or one of its tags has the resource's version. What is shown of other resources does not
 * matter, as a change of this one cannot lose it. Weak tags count, because SCIM uses no others (RFC 7644 §3.14), although
 * RFC 9110 §13.1.1 would compare strongly.
 */
function namesVersion(header: string, name: string, { version }: StoredResource): boolean {
  const tags = parseTags(header, name);
  return tags === '*' || tags.some((tag) => tag.split('.', 1)[0] === String(version));
}

function opaqueTag(resource: StoredResource): string {
  const derived = derivedContent(resource);
  if (derived.length === 0) {
    return String(resource.version);
  }
  const fingerprint = hash('sha256', JSON.stringify(derived), 'base64url').slice(0, FINGERPRINT_LENGTH);
  return `${resource.version}.${fingerprint}`;
}

/** What a representation shows of other resources; it changes without the version of this one. */
function derivedContent(resource: StoredResource): readonly unknown[] {
  return resource.type === 'User'
    ? (resource.groups ?? []).map(({ id, display, direct }) => [id, display, direct])
    : (resource.members ?? []).map(({ display }) => display ?? null);
}

/** The opaque parts of a list of entity tags. */
function parseTags(header: string, name: string): '*' | string[] {
  if (header.trim() === '*') {
    return '*';
  }
  const tags: string[] = [];
  for (let offset = 0; offset < header.length; offset = LIST_ELEMENT.lastIndex) {
    LIST_ELEMENT.lastIndex = offset;
    const element = LIST_ELEMENT.exec(header);
    if (element === null) {
      throw malformed(name, header.slice(offset));
    }
    if (element[1] !== undefined) {
      tags.push(element[1]);
    }
  }
  if (tags.length === 0) {
    throw malformed(name, header);
  }
  return tags;
}

function malformed(name: string, found: string): ScimError {
  return badRequest('invalidSyntax', `${name}: expected entity tags such as W/"1", found ${quote(found)}`);
}
