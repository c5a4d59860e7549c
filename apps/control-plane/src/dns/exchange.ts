import { connect } from 'node:net';
import { DnsUpdateError } from './dns-update.error.js';

export interface DnsServer {
  readonly host: string;
  readonly port: number;
}

/**
 * Sends a message over TCP, with its length before it (RFC 1035 §4.2.2), and returns the first that comes back.
 *
 * @throws {DnsUpdateError} when there is no answer before `signal` aborts
 */
export async function exchange(message: Buffer, { host, port }: DnsServer, signal: AbortSignal): Promise<Buffer> {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  const socket = connect({ host, port, signal });
  const chunks: Buffer[] = [];
  try {
    socket.write(Buffer.concat([length, message]));
    for await (const chunk of socket) {
      chunks.push(chunk as Buffer);
      const received = Buffer.concat(chunks);
      if (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        return received.subarray(2, 2 + received.readUInt16BE(0));
      }
    }
  } catch (error) {
    throw new DnsUpdateError(signal.aborted ? `${host}:${port} did not answer in time` : describe(error), {
      cause: error,
    });
  } finally {
    socket.destroy();
  }
  throw new DnsUpdateError(`${host}:${port} closed the connection without an answer`);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
