import type { IncomingMessage } from 'node:http';
import { KubernetesError } from './kubernetes.errors.js';

const NEWLINE = 0x0a;

/** @throws {KubernetesError} when it is longer than `maxBytes` */
export async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new KubernetesError(`the answer has more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The lines as they arrive. An incomplete last line is dropped.
 *
 * @throws {KubernetesError} when a line is longer than `maxBytes`
 */
export async function* readLines(response: IncomingMessage, maxBytes: number): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      begun.push(chunk.subarray(from, end));
      yield Buffer.concat(begun).toString('utf8');
      begun = [];
      size = 0;
      from = end + 1;
    }
    begun.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxBytes) {
      throw new KubernetesError(`a line of the answer has more than ${maxBytes} bytes`, { hasLostTrack: true });
    }
  }
}
