import { createServer } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import type { Response } from 'express';
import { PlatformHttpAdapter, type RejectionBody } from '@palisade/platform';
import { errorResource, ScimError } from '@palisade/scim';
import { SCIM_MEDIA_TYPE, ScimAnswer } from './scim-answer.js';

/** Request line and headers together: a filter of 8 KiB may take three times that when percent-encoded. */
const MAX_HEADER_BYTES = 48 * 1024;

/** Express, with SCIM answers written as they are: Express itself would add a charset and hash every body for an ETag. */
export class ScimHttpAdapter extends PlatformHttpAdapter {
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof ScimAnswer) {
      body.send(response);
      return undefined;
    }
    return super.reply(response, body, statusCode);
  }

  override initHttpServer(_options: NestApplicationOptions): void {
    this.httpServer = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, this.getInstance());
    this.explainRejections();
  }

  /** The path of such a request is not known, so each gets the Error resource (RFC 7644 §3.12). */
  protected override explainRejection(status: number, detail: string): RejectionBody {
    const error = new ScimError(status, status === 400 ? 'invalidSyntax' : undefined, detail);
    return { mediaType: SCIM_MEDIA_TYPE, json: JSON.stringify(errorResource(error)) };
  }
}
