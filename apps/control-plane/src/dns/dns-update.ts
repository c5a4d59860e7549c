import { messageOf } from '@palisade/domain';
import { randomInt } from 'node:crypto';
import { isIPv6, connect } from 'node:net';
import { TSIG_ERRORS, signMessage, verifyAnswer, type TsigKey } from './tsig.js';
import { CLASS, TYPE, encodeAddress, encodeName, encodeRecord, uint16 } from './wire.js';

export interface AddressUpdate {
  readonly zone: string;
  /** Within the zone. */
  readonly name: string;
  /** The addresses that the name has afterwards; an empty list removes the name. */
  readonly addresses: readonly string[];
  readonly ttlSeconds: number;
}

export interface UpdateOptions {
  readonly server: DnsServer;
  readonly key: TsigKey;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** RFC 2136 §1.3. */
const OPCODE_UPDATE = 5;

/** RFC 1035 §4.1.1, RFC 2136 §2.2. */
const RCODES: Readonly<Record<number, string>> = {
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED: the key may not change this name',
  6: 'YXDOMAIN',
  7: 'YXRRSET',
  8: 'NXRRSET',
  9: 'NOTAUTH: the server is not a primary of this zone, or does not know the key',
  10: 'NOTZONE',
};

/**
 * Replaces all records of a name by addresses, in one transaction of the server (RFC 2136), signed (RFC 8945), over TCP.
 *
 * @throws {DnsUpdateError} when the server is unreachable, rejects the update, or its answer is not authentic: then the name
 * may or may not have been changed, and a repetition is harmless
 */
export async function replaceAddresses(update: AddressUpdate, options: UpdateOptions): Promise<void> {
  const { server, key, timeoutMs, signal, now } = options;
  const request = signMessage(encodeUpdate(update), key, now());
  const answer = await exchange(request.message, server, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
  if (answer.length < 12 || answer.readUInt16BE(0) !== request.message.readUInt16BE(0)) {
    throw new DnsUpdateError('the answer does not belong to the request');
  }
  const verdict = verify(answer, request.mac, key, now());
  const rcode = answer.readUInt8(3) & 0x0f;
  if (rcode !== 0) {
    throw new DnsUpdateError(TSIG_ERRORS[verdict.error] ?? RCODES[rcode] ?? `response code ${rcode}`);
  }
  if (!verdict.isAuthentic) {
    throw new DnsUpdateError('the answer is not signed with the key');
  }
}

function verify(answer: Buffer, requestMac: Buffer, key: TsigKey, now: number): ReturnType<typeof verifyAnswer> {
  try {
    return verifyAnswer(answer, requestMac, key, now);
  } catch (error) {
    // Only reading beyond the end of the answer can fail.
    throw new DnsUpdateError('the answer is malformed', { cause: error });
  }
}

/** RFC 2136 §2.3 and §2.5: zone, no prerequisites, deletion of all record sets of the name, additions. */
function encodeUpdate({ zone, name, addresses, ttlSeconds }: AddressUpdate): Buffer {
  const deletion = { name, type: TYPE.ANY, class: CLASS.ANY, ttlSeconds: 0, data: Buffer.alloc(0) };
  const additions = addresses.map((address) => ({
    name,
    type: isIPv6(address) ? TYPE.AAAA : TYPE.A,
    class: CLASS.IN,
    ttlSeconds,
    data: encodeAddress(address),
  }));
  const updates = [deletion, ...additions];
  return Buffer.concat([
    uint16(randomInt(0x1_0000), OPCODE_UPDATE << 11, 1, 0, updates.length, 0),
    encodeName(zone),
    uint16(TYPE.SOA, CLASS.IN),
    ...updates.map(encodeRecord),
  ]);
}

export interface DnsServer {
  readonly host: string;
  readonly port: number;
}

/**
 * Sends a message over TCP, preceded by its length (RFC 1035 §4.2.2), and returns the first answer.
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
    throw new DnsUpdateError(signal.aborted ? `${host}:${port} did not answer in time` : messageOf(error), {
      cause: error,
    });
  } finally {
    socket.destroy();
  }
  throw new DnsUpdateError(`${host}:${port} closed the connection without an answer`);
}

/** A name was possibly not updated. The message is for the operator. */
export class DnsUpdateError extends Error {
  override readonly name = 'DnsUpdateError';
}
