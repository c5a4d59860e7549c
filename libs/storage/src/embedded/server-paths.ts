import { join, resolve } from 'node:path';

/** Where an embedded server keeps what; all inside of one directory. */
export interface ServerPaths {
  readonly directory: string;
  /** PostgreSQL's own data directory; complete as soon as it exists. */
  readonly data: string;
  /** A data directory in the making. */
  readonly unfinishedData: string;
  /** The password of the server's only role, mode 600. */
  readonly password: string;
  readonly lock: string;
  /** What the server says since its last start. */
  readonly log: string;
}

export function serverPaths(directory: string): ServerPaths {
  const root = resolve(directory);
  return {
    directory: root,
    data: join(root, 'data'),
    unfinishedData: join(root, 'data.unfinished'),
    password: join(root, 'password'),
    lock: join(root, 'lock'),
    log: join(root, 'postgres.log'),
  };
}
