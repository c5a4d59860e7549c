import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpException, type NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import { PROBLEM_MEDIA_TYPE } from './problem-details.filter.js';
import { toProblem } from './problem-details.js';

/** How long a client may take to read why its request was rejected. */
const MAX_LINGER_MS = 1000;

/** What is wrong with a request that is not valid HTTP, by the code of Node's parser. Anything else is a 400. */
const PARSER_ERRORS: ReadonlyMap<string, readonly [status: number, detail: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'the URL and the headers are too large']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'the chunk extensions are too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'the request did not arrive in time']],
]);

/** The body that explains why a request was rejected before it reached the app. */
export interface RejectionBody {
  readonly mediaType: string;
  readonly json: string;
}

/**
 * Express with case-sensitive paths (RFC 3986 §6.2.2.1): a proxy that keeps /metrics from the outside would let /METRICS
 * pass. Express reads the setting when the first route is added, which is before an app can be configured.
 */
export class PlatformHttpAdapter extends ExpressAdapter {
  constructor() {
    super(express().enable('case sensitive routing'));
  }

  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    this.explainRejections();
  }

  /** Requests that Node's parser rejects get an answer with a body. Node itself would send a status line only. */
  protected explainRejections(): void {
    const server: Server = this.httpServer;
    const answers = new WeakMap<Duplex, ServerResponse>();
    server.on('request', (request, response) => answers.set(request.socket, response));
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      const answer = answers.get(socket);
      const isAnswering = answer !== undefined && answer.headersSent && !answer.writableFinished;
      if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) {
        socket.destroy();
        return;
      }
      const [status, detail] = PARSER_ERRORS.get(error.code ?? '') ?? [400, 'the request is not valid HTTP'];
      socket.end(toMessage(status, this.explainRejection(status, detail)));
      setTimeout(() => socket.destroy(), MAX_LINGER_MS).unref();
    });
  }

  protected explainRejection(status: number, detail: string): RejectionBody {
    const { body } = toProblem(new HttpException(detail, status), {});
    return { mediaType: PROBLEM_MEDIA_TYPE, json: JSON.stringify(body) };
  }
}

function toMessage(status: number, { mediaType, json }: RejectionBody): string {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${mediaType}`,
    `Content-Length: ${Buffer.byteLength(json)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${json}`;
}
