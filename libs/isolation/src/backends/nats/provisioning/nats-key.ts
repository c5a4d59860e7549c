import { nkeys } from '@nats-io/transport-node';

export interface NatsKey {
  /** The public key of a user, which begins with `U`: for the servers. */
  readonly nkey: string;
  /** For whoever connects with it, and for nobody else. */
  readonly seed: string;
}

const RAW_SEED_BYTES = 32;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new key. */
export function createNatsKey(): NatsKey {
  return keyOf(new TextDecoder().decode(nkeys.createUser().getSeed()));
}

/**
 * The key with these 32 bytes of Ed25519 seed: always the same one.
 *
 * @throws {RangeError} when they are more or fewer
 */
export function natsKeyFrom(rawSeed: Uint8Array): NatsKey {
  if (rawSeed.length !== RAW_SEED_BYTES) {
    throw new RangeError(`expected ${RAW_SEED_BYTES} bytes, found ${rawSeed.length}`);
  }
  // The text form of nkeys: five bits "seed", eight bits "user", the seed, and CRC-16 of all that, little-endian, in base32.
  const { Seed, User } = nkeys.Prefix;
  const body = Buffer.from([Seed | (User >> 5), (User & 31) << 3, ...rawSeed]);
  const crc = Buffer.alloc(2);
  crc.writeUInt16LE(crc16(body));
  return keyOf(base32(Buffer.concat([body, crc])));
}

function keyOf(seed: string): NatsKey {
  return { nkey: nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey(), seed };
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
    }
  }
  return crc;
}

/** RFC 4648 §6, without padding. */
function base32(bytes: Uint8Array): string {
  let [text, value, bits] = ['', 0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) {
      text += BASE32[(value >> (bits - 5)) & 31];
    }
  }
  return bits === 0 ? text : text + BASE32[(value << (5 - bits)) & 31];
}
