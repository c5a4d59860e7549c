import { open, type FileHandle } from 'node:fs/promises';
import type { AuditSink } from '@palisade/isolation';

const MODE = 0o600;

/** A file that records are appended to, one JSON object a line. What was written is on disk. */
export class AuditFile {
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly path: string) {}

  /** For records of one kind. An empty list still opens the file, so that it tells whether it could take any. */
  sink<R>(toJson: (record: R) => object): AuditSink<R> {
    return {
      write: (records) => this.#inTurn(records.map((record) => `${JSON.stringify(toJson(record))}\n`).join('')),
    };
  }

  /** One after another, so that taking back what failed takes back nothing else. */
  #inTurn(lines: string): Promise<void> {
    const turn = this.#last.then(() => this.#write(lines));
    this.#last = turn.catch(() => {}); // whoever writes is told
    return turn;
  }

  async #write(lines: string): Promise<void> {
    await using file = await open(this.path, 'a', MODE);
    if (lines !== '') {
      await append(file, lines);
    }
  }
}

/** All or nothing: a line that is cut off is taken back. */
async function append(file: FileHandle, lines: string): Promise<void> {
  const { size } = await file.stat();
  try {
    await file.writeFile(lines);
    await file.datasync();
  } catch (error) {
    await file.truncate(size);
    throw error;
  }
}
