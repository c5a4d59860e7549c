import { createHash } from 'node:crypto';
import { open, readFile, rename, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, messageOf, parseJsonObject, type CompletePolicy } from '@palisade/domain';

/** What a copy on disk holds. */
export interface CopiedPolicy {
  /** Unchecked beyond the checksum. */
  readonly document: CompletePolicy;
  /** When the control plane last confirmed it, in milliseconds since 1970. */
  readonly confirmedAtMs: number;
}

export interface PolicyCopyOptions {
  readonly path: string;
  /** A copy of another pool's policy is not read. */
  readonly pool: string;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** Differs when an older library could not read a copy. */
const FORMAT = 1;
const MODE = 0o600;
/** Clocks may differ by so much. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * The policy of a pool in a file, for a proxy that starts while no control plane can be reached: a line that describes it, and
 * a line with the document. The file is replaced as a whole, is on disk when a write has finished, and only its owner can read it.
 */
export class PolicyCopy {
  readonly #now: () => number;

  constructor(private readonly options: PolicyCopyOptions) {
    this.#now = options.now ?? Date.now;
  }

  /** Resolves to undefined when there is none. @throws {Error} with why it cannot be used */
  async read(): Promise<CopiedPolicy | undefined> {
    const { path, pool } = this.options;
    const text = await readIfAny(path);
    if (text === undefined) {
      return undefined;
    }
    const [head = '', body = ''] = text.split('\n', 2);
    const header = parseJsonObject(head);
    if (header === undefined) {
      throw new Error('it is not the copy of a policy');
    }
    if (header['format'] !== FORMAT) {
      throw new Error(`its format is ${JSON.stringify(header['format'])}, and this version reads ${FORMAT}`);
    }
    if (header['pool'] !== pool) {
      throw new Error(`it is of the pool ${JSON.stringify(header['pool'])}, and this proxy is in "${pool}"`);
    }
    if (header['sha256'] !== digest(body)) {
      throw new Error('it is incomplete, or was changed: its checksum does not match');
    }
    const confirmedAtMs = (await stat(path)).mtimeMs;
    if (confirmedAtMs > this.#now() + MAX_AHEAD_MS) {
      throw new Error(`it is of ${new Date(confirmedAtMs).toISOString()}, which is in the future`);
    }
    return { document: JSON.parse(body) as CompletePolicy, confirmedAtMs };
  }

  /** @throws {Error} of the file system */
  async write(document: CompletePolicy): Promise<void> {
    const { path } = this.options;
    const body = JSON.stringify(document);
    const { pool, configuration, revision } = document;
    const header = { format: FORMAT, pool, configuration, revision, sha256: digest(body) };
    const draft = `${path}.new`;
    {
      await using file = await open(draft, 'w', MODE);
      // One that was there already keeps its mode.
      await file.chmod(MODE);
      await file.writeFile(`${JSON.stringify(header)}\n${body}\n`);
      await file.sync();
    }
    await rename(draft, path);
    await using directory = await open(dirname(path), 'r');
    await directory.sync();
  }

  /** Notes that the control plane confirms the policy still. @throws {Error} of the file system */
  async confirm(): Promise<void> {
    const now = new Date(this.#now());
    await utimes(this.options.path, now, now);
  }
}

async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw new Error(`it cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
