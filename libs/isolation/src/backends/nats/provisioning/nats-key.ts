import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';

export interface NatsKey {
  /** The public key of a user, which begins with `U`: for the servers. */
  readonly nkey: string;
  /** For whoever connects with it, and for nobody else. */
  readonly seed: string;
}

const RAW_SEED_BYTES = 32;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What the text of a seed and of a user's public key begin with: `S` and `U`, each in the upper five bits of a byte. */
const [SEED, USER] = [18 << 3, 20 << 3];

/** RFC 8410 §7: the 32 bytes of an Ed25519 seed follow this in DER. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A new key. */
export function createNatsKey(): NatsKey {
  return natsKeyFrom(randomBytes(RAW_SEED_BYTES));
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
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, rawSeed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-RAW_SEED_BYTES);
  return {
    nkey: encode([USER, ...publicKey]),
    // Five bits "seed", eight bits "user", the seed.
    seed: encode([SEED | (USER >> 5), (USER & 31) << 3, ...rawSeed]),
  };
}

/** The text form of nkeys: the bytes and their CRC-16, little-endian, in base32. */
function encode(bytes: readonly number[]): string {
  const body = Buffer.from(bytes);
  const crc = Buffer.alloc(2);
  crc.writeUInt16LE(crc16(body));
  return base32(Buffer.concat([body, crc]));
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
