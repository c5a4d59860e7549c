import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a secret, 64 lower-case hexadecimal digits: the only form in which secrets are kept or compared. */
export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Compares two digests in time that does not depend on where they differ. */
export function equalDigests(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && left.length > 0 && timingSafeEqual(left, right);
}

/** The entry that has the digest of this token. */
export function findByToken<T extends { readonly digest: string }>(known: readonly T[], token: string): T | undefined {
  const digest = digestSecret(token);
  return known.find((each) => equalDigests(each.digest, digest));
}
