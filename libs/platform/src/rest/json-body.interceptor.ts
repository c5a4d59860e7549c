import { MIMEType } from 'node:util';
import {
  BadRequestException,
  HttpException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { raw, type Request, type Response } from 'express';
import { from, mergeMap, type Observable } from 'rxjs';
import { exceededBound } from './json-shape.js';

/** Every text in the last one is UTF-8 too. */
const CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii']);
/** No body that means anything comes near it. */
const MAX_DEPTH = 64;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface JsonBodyOptions {
  readonly mediaTypes: readonly string[];
  readonly limits: BodyLimits;
  /** For requests whose path this matches, instead. */
  readonly exception?: { readonly path: RegExp; readonly limits: BodyLimits };
}

export interface BodyLimits {
  /** After inflation. */
  readonly maxBytes: number;
  /** Elements of lists and members of objects, together. */
  readonly maxValues: number;
}

/**
 * Reads and parses request bodies. As an interceptor it runs after the guards, so nobody makes the service read, inflate
 * or parse a body before they are authenticated. Bodies are bounded after inflation, must be UTF-8 (invalid bytes would
 * otherwise become one replacement character, and two names one), JSON, nested at most 64 deep, and of a bounded number of values.
 */
export class JsonBodyInterceptor implements NestInterceptor {
  private readonly usual: BodyReader;
  private readonly exceptional: BodyReader | undefined;

  constructor(private readonly options: JsonBodyOptions) {
    const { mediaTypes, limits, exception } = options;
    this.usual = readerOf(mediaTypes, limits);
    this.exceptional = exception && readerOf(mediaTypes, exception.limits);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.body !== undefined || !hasBody(request)) {
      return next.handle();
    }
    return from(this.readJson(request, http.getResponse<Response>())).pipe(mergeMap(() => next.handle()));
  }

  private async readJson(request: Request, response: Response): Promise<void> {
    const { mediaTypes } = this.options;
    if (!request.is([...mediaTypes])) {
      throw new UnsupportedMediaTypeException(`Content-Type: expected ${mediaTypes.join(' or ')}`);
    }
    if (!isUtf8(request.headers['content-type'] ?? '')) {
      throw new UnsupportedMediaTypeException('Content-Type: expected no charset but utf-8');
    }
    const { read, maxBytes, maxValues } = this.readerFor(request);
    await new Promise<void>((resolve, reject) => {
      void read(request, response, (error?: unknown) =>
        error === undefined ? resolve() : reject(explain(error, maxBytes)),
      );
    });
    request.body = parse(request.body as Buffer, maxValues);
  }

  private readerFor({ path }: Request): BodyReader {
    return this.exceptional && this.options.exception?.path.test(path) ? this.exceptional : this.usual;
  }
}

interface BodyReader extends BodyLimits {
  readonly read: ReturnType<typeof raw>;
}

function readerOf(mediaTypes: readonly string[], limits: BodyLimits): BodyReader {
  return { read: raw({ type: [...mediaTypes], limit: limits.maxBytes }), ...limits };
}

function hasBody({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') {
    return false;
  }
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

// RFC 8259 §8.1: JSON between systems "MUST be encoded using UTF-8"; RFC 7644 §3.8 asks SCIM servers for no other.
function isUtf8(contentType: string): boolean {
  try {
    const charset = new MIMEType(contentType).params.get('charset');
    return charset === null || CHARSETS.has(charset.toLowerCase());
  } catch {
    // What the parser does not understand may well be a charset.
    return false;
  }
}

function explain(error: unknown, maxBytes: number): unknown {
  if (!(error instanceof Error && 'status' in error && 'expose' in error && error.expose === true)) {
    return error;
  }
  // RFC 7644 §3.7.4: the error of a request that is too large "MUST" name the limit.
  return error.status === 413
    ? new PayloadTooLargeException(`body: expected at most ${maxBytes} bytes`, { cause: error })
    : new HttpException(`body: ${error.message}`, Number(error.status), { cause: error });
}

function parse(bytes: Buffer, maxValues: number): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new BadRequestException('body: expected UTF-8');
  }
  const exceeded = exceededBound(text, { maxDepth: MAX_DEPTH, maxValues });
  if (exceeded === 'maxDepth') {
    throw new BadRequestException(`body: expected at most ${MAX_DEPTH} levels of nesting`);
  }
  if (exceeded === 'maxValues') {
    throw new PayloadTooLargeException(`body: expected at most ${maxValues} values in lists and objects`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8 quotes a piece of the body in its message; only the position is passed on.
    const position = /position \d+/.exec((error as Error).message)?.[0] ?? 'the end';
    throw new BadRequestException(`body: expected JSON, found a mistake at ${position}`, { cause: error });
  }
}
