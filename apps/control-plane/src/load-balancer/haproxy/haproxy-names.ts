import { printPool, printServer } from '../rendering/printed-values.js';

/** Distinct from what an operator's own file may define, and from each other: HAProxy 3.3 demands that. */
export const DEFAULTS = 'palisade-defaults';
export const FRONTEND = 'palisade';
export const UNAVAILABLE_BACKEND = 'palisade-unavailable';
export const BACKEND_PREFIX = 'palisade-pool-';

export function backendOf(pool: string): string {
  return `${BACKEND_PREFIX}${printPool(pool)}`;
}

/** A server as commands name it. */
export function qualifiedServer(pool: string, server: string): string {
  return `${backendOf(pool)}/${printServer(server)}`;
}
