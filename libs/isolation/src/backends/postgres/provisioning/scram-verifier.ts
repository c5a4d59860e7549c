import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** As many as PostgreSQL itself uses. */
const ITERATIONS = 4096;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** SASLprep (RFC 4013) does not change these characters. */
const PASSWORD = /^[\x20-\x7e]{16,1024}$/;

/**
 * What the server stores of a password (RFC 5802, RFC 7677). Sent instead of the password, it keeps that out of the
 * server's log and statistics.
 *
 * @throws {RangeError} unless the password is 16 to 1,024 printable ASCII characters
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(SALT_BYTES)): string {
  if (!PASSWORD.test(password)) {
    throw new RangeError('password: expected 16 to 1024 printable ASCII characters');
  }
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
