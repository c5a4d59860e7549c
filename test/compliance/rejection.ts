import type { Response } from 'supertest';
import { ERROR_URN } from '../support/scim-bodies.js';

/** What an answer rejects with, e.g. `400 invalidFilter`; the answer itself when it is not an Error resource of its status. */
export function rejection({ status, body }: Response): string {
  const isError = Array.isArray(body?.schemas) && body.schemas.includes(ERROR_URN) && body.status === String(status);
  return isError ? [status, body.scimType].filter(Boolean).join(' ') : `${status} ${JSON.stringify(body)}`;
}
