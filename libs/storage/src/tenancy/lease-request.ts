import { requireStorable } from '../storable-text.js';

const MIN_TTL_MS = 1_000;
const MAX_TTL_MS = 60_000;

/** @throws {RangeError} {@link InvalidIdentifierError} */
export function requireLeaseRequest(name: string, holder: string, ttlMs: number): void {
  requireStorable('lease', name);
  requireStorable('holder', holder);
  if (!(ttlMs >= MIN_TTL_MS && ttlMs <= MAX_TTL_MS)) {
    throw new RangeError(`ttlMs: expected ${MIN_TTL_MS} to ${MAX_TTL_MS}, found ${ttlMs}`);
  }
}
