import { DomainError } from '@palisade/domain';
import { CpuLimitError } from '../limits/cpu-limit.error.js';
import { MemoryLimitError } from '../limits/memory-limit.error.js';
import { RateLimitedError } from '../limits/rate-limited.error.js';
import { SessionNotFoundError } from '../sessions/errors/session-not-found.error.js';

/** Whether work ended because its namespace had reached a limit, or its caller had no such session: no failure. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof RateLimitedError ||
    error instanceof CpuLimitError ||
    error instanceof MemoryLimitError ||
    error instanceof SessionNotFoundError
  );
}

export function codeOf(error: unknown): string {
  return error instanceof DomainError ? error.code : 'OTHER';
}
