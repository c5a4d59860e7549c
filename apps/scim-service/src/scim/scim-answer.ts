import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import type { JsonObject } from '@palisade/domain';
import { toJsonText } from '@palisade/scim';
import type { Response } from 'express';

/** RFC 7644 §3.1. Without a charset parameter: strict clients reject one, and JSON is UTF-8 anyway. */
export const SCIM_MEDIA_TYPE = 'application/scim+json';

/** A client that takes nothing of a longer answer for so long loses the connection. */
const MAX_IDLE_MS = 10_000;
const LONG_ANSWER_BYTES = 64 * 1024;

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
    const json = toJsonText(this.body);
    response.setHeader('Content-Type', SCIM_MEDIA_TYPE);
    if (typeof json !== 'string') {
      response.setTimeout(MAX_IDLE_MS);
      // A failure is logged there, and the client sees that the answer ends too early.
      void sendPieces(response, json);
      return;
    }
    if (json.length > LONG_ANSWER_BYTES) {
      response.setTimeout(MAX_IDLE_MS);
    }
    response.setHeader('Content-Length', Buffer.byteLength(json));
    // Node drops the body of an answer to HEAD by itself.
    response.end(json);
  }
}

async function sendPieces(response: Response, pieces: AsyncIterable<string>): Promise<void> {
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(pieces), response);
  } catch (error) {
    if (!response.req.destroyed) {
      new Logger(ScimAnswer.name).warn(`an answer was cut off: ${String(error)}`);
    }
  }
}
