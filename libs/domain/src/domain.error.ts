/**
 * What every error that a caller may be told about has in common: a stable `code` to branch on. Its name is that of its
 * class, set here once: no build of this code renames classes, and what is promised to callers is the code.
 */
export abstract class DomainError extends Error {
  override readonly name: string;
  /** Upper-case, stable, listed in docs/status-codes.md. */
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
