import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Keys per page of a listing: few, so that every listing has pages. */
const PAGE_SIZE = 2;

/**
 * What the export uses of the S3 protocol, as Amazon documents it: PutObject with `If-None-Match: *` and a checksum,
 * GetObject, ListObjectsV2 with pages; addressed by path, and only with a signature of version 4.
 */
export class FakeS3 {
  /** By `<bucket>/<key>`. */
  readonly objects = new Map<string, string>();
  /** `<method> <path and query>` of every request. */
  readonly requests: string[] = [];
  /** Statuses that the next requests get instead of an answer. */
  readonly failures: number[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeS3> {
    const server = createServer();
    const fake = new FakeS3(server);
    server.on('request', (request, response) => void fake.handle(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return fake;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    this.requests.push(`${request.method} ${request.url}`);
    const { status, body: answer = '', headers = {} } = this.answer(request, body);
    response.writeHead(status, { 'Content-Type': 'application/xml', ...headers }).end(answer);
  }

  private answer(request: IncomingMessage, body: string): Answer {
    const failure = this.failures.shift();
    if (failure !== undefined) {
      return error(failure, 'InternalError');
    }
    if (
      !/^AWS4-HMAC-SHA256 Credential=.+\/s3\/aws4_request, .*Signature=[0-9a-f]{64}$/.test(authorizationOf(request))
    ) {
      return error(403, 'AccessDenied');
    }
    const url = new URL(request.url ?? '/', this.endpoint);
    const path = decodeURIComponent(url.pathname.slice(1));
    if (request.method === 'PUT') {
      return this.put(path, body, request);
    }
    return url.searchParams.get('list-type') === '2' ? this.list(path, url.searchParams) : this.get(path);
  }

  private put(path: string, body: string, { headers }: IncomingMessage): Answer {
    if (headers['x-amz-checksum-sha256'] !== createHash('sha256').update(body).digest('base64')) {
      return error(400, 'BadDigest');
    }
    if (headers['if-none-match'] === '*' && this.objects.has(path)) {
      return error(412, 'PreconditionFailed');
    }
    this.objects.set(path, body);
    return { status: 200, headers: { ETag: '"etag"' } };
  }

  private get(path: string): Answer {
    const body = this.objects.get(path);
    return body === undefined ? error(404, 'NoSuchKey') : { status: 200, body };
  }

  private list(path: string, parameters: URLSearchParams): Answer {
    const bucket = path.replace(/\/$/, '');
    const after = parameters.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()]
      .filter((name) => name.startsWith(`${bucket}/${parameters.get('prefix')}`))
      .map((name) => name.slice(bucket.length + 1))
      .filter((key) => key > after)
      .toSorted();
    const page = keys.slice(0, PAGE_SIZE);
    const isTruncated = keys.length > page.length;
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('');
    const result = `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents}`;
    return { status: 200, body: `<?xml version="1.0"?><ListBucketResult>${result}</ListBucketResult>` };
  }
}

function authorizationOf({ headers }: IncomingMessage): string {
  return headers.authorization ?? '';
}

function error(status: number, code: string): Answer {
  return { status, body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>` };
}
