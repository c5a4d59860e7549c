import { createHash } from 'node:crypto';
import type { TenantResponse } from './tenants.dto.js';

const DIGEST_LENGTH = 16;

/** A strong entity tag: the version, to change a tenant with, and a digest of all else that the answer says. */
export function tenantEtag(body: TenantResponse): string | undefined {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, DIGEST_LENGTH);
  return body.version === undefined ? undefined : `"${body.version}-${digest}"`;
}
