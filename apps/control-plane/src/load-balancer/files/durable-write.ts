import { codeOf } from '@palisade/domain';
import { constants } from 'node:fs';
import type * as nodeFiles from 'node:fs/promises';

/** The functions of `node:fs/promises` that change files. */
export interface FileSystem extends Pick<typeof nodeFiles, 'access' | 'copyFile' | 'open' | 'rename' | 'rm'> {
  mkdir(path: string): Promise<unknown>;
  readdir(path: string): Promise<string[]>;
}

/** Programs of other users read the files; they hold no secrets. */
const FILE_MODE = 0o644;
const FLUSH_CHARACTERS = 256 * 1024;

/** Writes a file that does not exist yet; when it resolves, the content survives a power failure. */
export async function writeDurably(fileSystem: FileSystem, path: string, pieces: readonly string[]): Promise<void> {
  await using file = await fileSystem.open(path, 'wx', FILE_MODE);
  let buffered: string[] = [];
  let characters = 0;
  for (const piece of pieces) {
    buffered.push(piece);
    characters += piece.length;
    if (characters >= FLUSH_CHARACTERS) {
      await file.writeFile(buffered.join(''));
      [buffered, characters] = [[], 0];
    }
  }
  await file.writeFile(buffered.join(''));
  await file.sync();
}

/** Copies to a file that does not exist yet; when it resolves, the copy survives a power failure. */
export async function copyDurably(fileSystem: FileSystem, from: string, to: string): Promise<void> {
  await fileSystem.copyFile(from, to, constants.COPYFILE_FICLONE);
  await synchronize(fileSystem, to);
}

/** Makes the content of a file, or renames within a directory, survive a power failure. */
export async function synchronize(fileSystem: FileSystem, path: string): Promise<void> {
  await using opened = await fileSystem.open(path, 'r');
  await opened.sync();
}

export async function isPresent(fileSystem: FileSystem, path: string): Promise<boolean> {
  return fileSystem.access(path).then(
    () => true,
    (error: unknown) => {
      if (!isAbsent(error)) {
        throw error;
      }
      return false;
    },
  );
}

export function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
