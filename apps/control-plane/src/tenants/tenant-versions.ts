import { createHash } from 'node:crypto';
import { HeaderParameter } from '@palisade/platform';
import type { TenantResponse } from './tenants.dto.js';

const DIGEST_LENGTH = 16;

/** A strong entity tag: the version, to change a tenant with, and a digest of all else that the answer says. */
export function tenantEtag(body: TenantResponse): string | undefined {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, DIGEST_LENGTH);
  return body.version === undefined ? undefined : `"${body.version}-${digest}"`;
}

/** The condition in `If-Match`. */
export const IfMatch = HeaderParameter(
  'If-Match',
  'ETag of the tenant that is to be changed; another version is left alone.',
  { examples: ['"1-Xy0aVb3kQ9TzLm2c"'] },
  readIfMatch,
);

/** What `If-Match` demands: any version, or one of these; a tag that no version has is -1. */
export type VersionCondition = 'any' | readonly [number, ...number[]];

const TAG = /^(?:W\/)?"(\d{1,15})(?:-[\w-]*)?"$/;
const NO_VERSION = -1;

/**
 * Reads an `If-Match` header. Only the version in a tag counts: what the tag says besides (health of proxies, rules)
 * changes by itself, and is no reason to reject a change.
 */
export function readIfMatch(header: string | undefined): VersionCondition | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') {
    return undefined;
  }
  if (text === '*') {
    return 'any';
  }
  const [first = NO_VERSION, ...others] = text.split(',').map((tag) => versionOf(tag.trim()));
  return [first, ...others];
}

/** The version that the resource must still have when it is changed; undefined when any will do. */
export function chooseVersion(condition: VersionCondition, current: number | undefined): number | undefined {
  if (condition === 'any') {
    return undefined;
  }
  return condition.find((version) => version === current) ?? condition[0];
}

function versionOf(tag: string): number {
  const [, version] = TAG.exec(tag) ?? [];
  return version === undefined ? NO_VERSION : Number(version);
}
