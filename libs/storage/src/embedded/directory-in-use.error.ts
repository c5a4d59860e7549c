import { DomainError } from '@palisade/domain';

/** Another process uses the data directory; two must never run on one. */
export class DirectoryInUseError extends DomainError {
  override readonly name = 'DirectoryInUseError';
  readonly code = 'DIRECTORY_IN_USE';

  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(`the data directory ${directory} is in use by process ${pid}; stop that process or use another directory`);
  }
}
