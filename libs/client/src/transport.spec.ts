import { describe, expect, it } from '@jest/globals';
import type { Middleware } from 'openapi-fetch';
import { transport } from './transport.js';

type Answered = Parameters<NonNullable<Middleware['onResponse']>>[0];

const MEGABYTE = new Uint8Array(2 ** 20);

async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent++) {
    yield MEGABYTE;
  }
}

/** How much of an answer of 257 MiB can be read. */
async function read(status: number, parseAs: Answered['options']['parseAs']): Promise<number> {
  const { onResponse } = transport({ timeoutMs: 30_000, userAgent: 'test' });
  const given = {
    request: new Request('http://a/'),
    response: new Response(ReadableStream.from(megabytes(257)), { status }),
    options: { parseAs },
  };
  const answer = await onResponse?.(given as Answered);
  let bytes = 0;
  for await (const chunk of answer?.body ?? []) {
    bytes += chunk.byteLength;
  }
  return bytes;
}

describe(transport.name, () => {
  it('bounds what is read as a whole', async () => {
    await expect(read(200, 'json')).rejects.toThrow('http://a answered more than 268435456 bytes');
  });

  it('lets a stream be as long as it is', async () => {
    expect(await read(200, 'stream')).toBe(257 * 2 ** 20);
  });

  it('bounds a rejection where a stream was asked for', async () => {
    await expect(read(400, 'stream')).rejects.toThrow('http://a answered more than 268435456 bytes');
  });
});
