import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What one run creates: a temporary directory, and whatever is deferred to its end (processes, databases). All of it is
 * undone in reverse order when the run ends, fails or is interrupted.
 */
export class Workspace {
  #stack = new AsyncDisposableStack();
  /** @type {Promise<void> | undefined} */
  #closing;

  constructor() {
    this.directory = mkdtempSync(join(tmpdir(), 'palisade-bench-'));
    // PostgreSQL does not run as root: then the server's own account passes through here.
    chmodSync(this.directory, 0o711);
    this.#stack.defer(() => rmSync(this.directory, { recursive: true, force: true }));
  }

  /** @param {() => unknown} undo */
  defer(undo) {
    this.#stack.defer(async () => {
      await undo();
    });
  }

  close() {
    this.#closing ??= this.#stack.disposeAsync();
    return this.#closing;
  }

  /** An interrupted run cleans up as well. */
  closeOnSignals() {
    for (const [signal, status] of /** @type {const} */ ([
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ])) {
      process.once(signal, () => void this.close().finally(() => process.exit(status)));
    }
  }
}
