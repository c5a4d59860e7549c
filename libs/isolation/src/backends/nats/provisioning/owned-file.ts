import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** For the owner, and those in its group; there are no secrets in it. */
const MODE = 0o640;

/** A file that nobody else writes. It has its former content or the new one at any moment, also when the machine stops. */
export class OwnedFile {
  constructor(private readonly path: string) {}

  /** Undefined when there is none. */
  async read(): Promise<string | undefined> {
    try {
      return await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
  }

  /** Undefined removes it. */
  async replace(content: string | undefined): Promise<void> {
    if (content === undefined) {
      await rm(this.path, { force: true });
      return;
    }
    const temporary = `${this.path}.${randomUUID()}`;
    try {
      await writeDurably(temporary, content);
      await rename(temporary, this.path);
    } finally {
      await rm(temporary, { force: true });
    }
    await using directory = await open(dirname(this.path), 'r');
    await directory.sync();
  }
}

async function writeDurably(path: string, content: string): Promise<void> {
  await using file = await open(path, 'wx', MODE);
  await file.writeFile(content);
  await file.sync();
}
