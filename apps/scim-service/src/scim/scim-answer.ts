import type { JsonObject } from '@palisade/domain';
import type { Response } from 'express';

/** RFC 7644 §3.1. Without a charset parameter: strict clients refuse one, and JSON is UTF-8 anyway. */
export const SCIM_MEDIA_TYPE = 'application/scim+json';

/** A SCIM response as it goes out: status, headers and body. */
export class ScimAnswer {
  constructor(
    readonly status: number,
    readonly body?: JsonObject,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  send(response: Response): void {
    response.statusCode = this.status;
    for (const [name, value] of Object.entries(this.headers)) {
      response.setHeader(name, value);
    }
    if (this.body === undefined) {
      response.end();
      return;
    }
    const text = JSON.stringify(this.body);
    response.setHeader('Content-Type', SCIM_MEDIA_TYPE);
    response.setHeader('Content-Length', Buffer.byteLength(text));
    // Node drops the body of an answer to HEAD by itself.
    response.end(text);
  }
}
