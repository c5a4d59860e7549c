import { DomainError } from '@palisade/domain';

/** An embedded PostgreSQL server cannot run on this machine; nothing was stored or changed. */
export class EmbeddedPostgresUnavailableError extends DomainError {
  readonly code = 'EMBEDDED_POSTGRES_UNAVAILABLE';

  /** @param reason what is missing, and what would help */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`the embedded PostgreSQL server cannot run here: ${reason}`, options);
  }
}

/** Another process uses the data directory; two must never share one. */
export class DirectoryInUseError extends DomainError {
  readonly code = 'DIRECTORY_IN_USE';

  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(`the data directory ${directory} is in use by process ${pid}; stop that process or use another directory`);
  }
}
