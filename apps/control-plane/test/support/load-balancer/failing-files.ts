import * as nodeFiles from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { FileSystem } from '../../../src/load-balancer/files/durable-write.js';

/** Files of which one operation fails, or every one from some on, as on a full disk. */
export class FailingFiles implements FileSystem {
  /** How many operations there were since the last {@link heal}. */
  operations = 0;
  private failing: (operation: number) => boolean = () => false;

  constructor(private readonly code: string) {}

  /** @param operation counted from 1 */
  failAt(operation: number): void {
    this.heal();
    this.failing = (each) => each === operation;
  }

  failAlways(): void {
    this.failing = () => true;
  }

  heal(): void {
    this.operations = 0;
    this.failing = () => false;
  }

  readonly access: FileSystem['access'] = (...args) => nodeFiles.access(...args);
  readonly readdir = (path: string): Promise<string[]> => nodeFiles.readdir(path);
  /** Room is not needed to remove something. */
  readonly rm: FileSystem['rm'] = (...args) => nodeFiles.rm(...args);
  readonly copyFile: FileSystem['copyFile'] = this.guard((...args) => nodeFiles.copyFile(...args));
  readonly mkdir = this.guard((path: string) => nodeFiles.mkdir(path));
  readonly rename: FileSystem['rename'] = this.guard((...args) => nodeFiles.rename(...args));
  readonly open: FileSystem['open'] = this.guard(async (...args) => this.spoil(await nodeFiles.open(...args)));

  private spoil(file: FileHandle): FileHandle {
    const { writeFile, sync } = file;
    file.writeFile = this.guard(async (...args) => {
      await writeFile.call(file, String(args[0]).slice(0, 5));
      return writeFile.call(file, String(args[0]).slice(5));
    });
    file.sync = this.guard(() => sync.call(file));
    return file;
  }

  private guard<Args extends unknown[], Result>(
    operation: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result> {
    return async (...args) => {
      this.operations += 1;
      if (this.failing(this.operations)) {
        throw Object.assign(new Error(`${this.code}: as the test wants it`), { code: this.code });
      }
      return operation(...args);
    };
  }
}
