import { once } from 'node:events';
import { request, type ClientRequest as Sent, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ClientAnswer, ClientRequest } from './keep-alive-client.js';

/** A request of which half the body is on its way. */
export class UnfinishedRequest {
  private constructor(
    private readonly sent: Sent,
    private readonly rest: Buffer,
    private readonly answer: Promise<ClientAnswer>,
  ) {}

  /** Resolves when the server has begun to answer requests of this connection: it has asked for the body. */
  static async begin(origin: string, { method, path, headers, body = {} }: ClientRequest): Promise<UnfinishedRequest> {
    const json = Buffer.from(JSON.stringify(body));
    const sent = request(`${origin}${path}`, {
      method,
      agent: false,
      headers: { ...headers, Connection: 'keep-alive', 'Content-Length': json.length, Expect: '100-continue' },
    });
    const answer = readAnswer(sent);
    // Who finishes the request is told; until then nobody asks.
    answer.catch(() => {});
    await once(sent, 'continue');
    const half = Math.floor(json.length / 2);
    sent.write(json.subarray(0, half));
    return new UnfinishedRequest(sent, json.subarray(half), answer);
  }

  /** Rejects when the connection is cut before the answer is whole. */
  finish(): Promise<ClientAnswer> {
    this.sent.end(this.rest);
    return this.answer;
  }

  /** Rejects when the connection is cut. */
  wait(): Promise<ClientAnswer> {
    return this.answer;
  }
}

async function readAnswer(sent: Sent): Promise<ClientAnswer> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
}
