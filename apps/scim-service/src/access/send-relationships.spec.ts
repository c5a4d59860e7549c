import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { formatResourceId, parseNamespaceId, parseProviderId } from '@palisade/domain';
import { type Relationship, RELATIONSHIP_FORMATS } from './relationship-formats.js';
import { sendRelationships } from './send-relationships.js';

const BINDING: Relationship = {
  kind: 'binding',
  namespace: parseNamespaceId('billing'),
  relation: 'read',
  group: formatResourceId('Group', parseProviderId('acme'), 'x'.repeat(200)),
};
const BATCH = Array.from({ length: 500 }, () => BINDING);

type Batches = AsyncGenerator<readonly Relationship[], void, void>;

describe(sendRelationships.name, () => {
  let server: Server;

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Serves the batches once; `outcome` settles as the sending does. */
  async function serve(batches: Batches): Promise<{ response: IncomingMessage; outcome: Promise<string> }> {
    const outcome = Promise.withResolvers<string>();
    server = createServer((_, response) => {
      sendRelationships(response as unknown as Response, RELATIONSHIP_FORMATS.json, batches).then(
        () => outcome.resolve('sent'),
        (error: Error) => {
          outcome.resolve(error.message);
          response.destroy();
        },
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { response, outcome: outcome.promise };
  }

  it('sends all batches as one document', async () => {
    const { response } = await serve(
      (async function* (): Batches {
        yield [];
        yield [BINDING];
        yield [];
        yield [BINDING, BINDING];
      })(),
    );
    expect(JSON.parse(await text(response))).toHaveLength(3);
  });

  it('fetches no more batches than the client reads', async () => {
    let fetched = 0;
    const { response, outcome } = await serve(
      (async function* (): Batches {
        for (; fetched < 1000; fetched++) {
          yield BATCH;
        }
      })(),
    );
    await once(response, 'readable');
    // Until the buffers of both sockets are full; nothing tells when that is.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(fetched).toBeLessThan(100);
    response.destroy();
    await expect(outcome).resolves.toBe('sent');
    expect(fetched).toBeLessThan(100);
  });

  it('lets go of the batches when the client leaves', async () => {
    let isReleased = false;
    const { response, outcome } = await serve(
      (async function* (): Batches {
        try {
          for (;;) {
            yield BATCH;
          }
        } finally {
          isReleased = true;
        }
      })(),
    );
    response.destroy();
    await outcome;
    expect(isReleased).toBe(true);
  });

  it('cuts the connection when it cannot go on', async () => {
    const { response, outcome } = await serve(
      (async function* (): Batches {
        yield BATCH;
        throw new Error('store away');
      })(),
    );
    await expect(text(response)).rejects.toThrow('aborted');
    await expect(outcome).resolves.toBe('store away');
  });
});
