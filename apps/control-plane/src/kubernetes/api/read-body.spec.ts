import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { KubernetesError } from './kubernetes.errors.js';
import { readLines, readText } from './read-body.js';

/** As far as a body goes, that is what a response is. */
function bodyOf(...chunks: readonly (string | Uint8Array)[]): IncomingMessage {
  return Readable.from(chunks.map((chunk) => Buffer.from(chunk as string))) as IncomingMessage;
}

async function linesOf(body: IncomingMessage, maxBytes = 1000): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(body, maxBytes)) {
    lines.push(line);
  }
  return lines;
}

describe(readLines.name, () => {
  it('gives the same lines wherever the network divides them', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ä', '€', '😀', '"', '\r', ' ') });
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(), { maxLength: 10 }), async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(''));
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(await linesOf(bodyOf(...chunks), 10_000)).toEqual(lines);
      }),
    );
  });

  it('drops what has no end', async () => {
    expect(await linesOf(bodyOf('{"a":1}\n{"b":'))).toEqual(['{"a":1}']);
  });

  it('rejects a line that is too long, before it has ended', async () => {
    await expect(linesOf(bodyOf('abc\n', 'abcdef', 'ghijk'), 10)).rejects.toThrow(KubernetesError);
    expect(await linesOf(bodyOf('abc\n', 'abcdef', 'ghij\n'), 10)).toEqual(['abc', 'abcdefghij']);
  });
});

describe(readText.name, () => {
  it('puts characters together that come in parts', async () => {
    const [euro] = [Buffer.from('€')];
    expect(await readText(bodyOf(euro.subarray(0, 1), euro.subarray(1)), 10)).toBe('€');
  });

  it('rejects what is too long', async () => {
    expect(await readText(bodyOf('12345', '67890'), 10)).toBe('1234567890');
    await expect(readText(bodyOf('12345', '678901'), 10)).rejects.toThrow('the answer has more than 10 bytes');
  });
});
