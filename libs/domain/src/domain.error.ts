/** What every error that a caller may be told about has in common: a stable `code` to branch on. */
export abstract class DomainError extends Error {
  /** Upper-case, stable, listed in docs/status-codes.md. */
  abstract readonly code: string;
}
