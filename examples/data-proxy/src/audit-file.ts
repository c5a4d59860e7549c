import { open, type FileHandle } from 'node:fs/promises';
import { SerialQueue } from '@palisade/async';
import { toRecordJson, type LogRecord } from '@palisade/domain';
import type { AuditSink } from '@palisade/isolation';

const MODE = 0o600;

/** A file that records are appended to, one JSON object per line. A finished write is on disk. */
export class AuditFile {
  /** Writes run one after another, so that undoing a failed one cannot undo another. */
  readonly #writes = new SerialQueue();

  constructor(private readonly path: string) {}

  /** A sink for one kind of records. Writing an empty list still opens the file, which tells whether it is writable. */
  sink<R>(toJson: (record: R) => object): AuditSink<R> {
    return {
      write: (records) => {
        const lines = records.map((record) => `${JSON.stringify(toJson(record))}\n`).join('');
        return this.#writes.run(() => this.#write(lines));
      },
    };
  }

  async #write(lines: string): Promise<void> {
    await using file = await open(this.path, 'a', MODE);
    if (lines !== '') {
      await append(file, lines);
    }
  }
}

/**
 * An action record with the field names of the log. Where the credential does not name the tenant, the namespace stands for
 * it: the control plane does not tell its proxies whose a namespace is.
 */
export function toActionJson(record: LogRecord): object {
  return toRecordJson({ ...record, tenantId: record.tenantId ?? record.namespace });
}

/** Writes all lines or none: a partial write is undone. */
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
