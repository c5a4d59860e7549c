import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import type { NamespaceId } from '@palisade/domain';

export interface Ask {
  readonly body?: string | Uint8Array | object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 });

/**
 * A client of the proxy with a key of a namespace. Paths are sent exactly as they are given: libraries would resolve `..`
 * and encode what should arrive as it is.
 */
export class Tenant {
  constructor(
    readonly origin: string,
    readonly namespace: NamespaceId,
    private readonly key: string,
    private readonly session?: string,
  ) {}

  /** The same client, in a session. */
  in(session: string): Tenant {
    return new Tenant(this.origin, this.namespace, this.key, session);
  }

  async send(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    const response = await this.open(method, path, ask);
    const chunks: Buffer[] = [];
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
    }
    const bytes = Buffer.concat(chunks);
    return { status: response.statusCode ?? 0, headers: response.headers, bytes, body: parseJson(bytes) };
  }

  /** As soon as the answer begins. */
  async open(method: string, path: string, { body, headers = {} }: Ask = {}): Promise<IncomingMessage> {
    const isJson = typeof body === 'object' && !(body instanceof Uint8Array);
    const { hostname, port } = new URL(this.origin);
    const outgoing = request({
      agent,
      hostname,
      port,
      method,
      path,
      headers: {
        'x-api-key': this.key,
        ...(this.session === undefined ? {} : { 'x-palisade-session': this.session }),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
    });
    outgoing.end(isJson ? JSON.stringify(body) : body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return response;
  }

  query(name: string, values: object = {}): Promise<Answer> {
    return this.send('POST', `/v1/queries/${name}`, { body: { values } });
  }

  put(key: string, value: string): Promise<Answer> {
    return this.send('PUT', `/v1/kv/${encodeURIComponent(key)}`, { body: value });
  }

  get(key: string): Promise<Answer> {
    return this.send('GET', `/v1/kv/${encodeURIComponent(key)}`);
  }

  /** The texts of all messages that the group has not had. */
  async consume(topic: string, group: string, query = ''): Promise<unknown[]> {
    const answer = await this.send('GET', `/v1/topics/${topic}?group=${group}${query}`);
    const { messages } = answer.body as { messages: { value: { text: string } }[] };
    return messages.map(({ value }) => value.text);
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
