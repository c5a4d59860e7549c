import { statSync } from 'node:fs';
import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { DomainError, messageOf } from '@palisade/domain';
import { apiKeyDirectory, type ApiKey, type ApiKeyDirectory } from '@palisade/guards';
import { readApiKeysFile } from './api-keys-file.js';

const CHECK_INTERVAL_MS = 500;

/** The API key that the caller came with was removed. */
export class KeyRemovedError extends DomainError {
  readonly code = 'KEY_REMOVED';

  constructor() {
    super('the API key was removed');
  }
}

/** The keys of a file, as it is now, and others that stay. A file that cannot be read leaves the keys as they were. */
export class ApiKeys implements ApiKeyDirectory, OnModuleDestroy {
  readonly #logger = new Logger(ApiKeys.name);
  #keys: readonly ApiKey[];
  #directory: ApiKeyDirectory;
  /** What was read; a change that comes while it is being read is noticed later. */
  #seen: string;
  #checks: NodeJS.Timeout | undefined;
  /** Called with the client ids of keys that are gone. */
  onRemoved: (clients: ReadonlySet<string>) => void = () => {};

  /** @throws {ConfigurationError} when the file is wrong at the beginning */
  constructor(
    private readonly path: string | undefined,
    private readonly others: readonly ApiKey[],
  ) {
    this.#seen = path === undefined ? '' : stateOf(path);
    this.#keys = this.#read();
    this.#directory = apiKeyDirectory(this.#keys);
    if (path !== undefined) {
      // Polling notices also that a file was replaced, as Kubernetes does with secrets.
      this.#checks = setInterval(() => this.#check(path), CHECK_INTERVAL_MS).unref();
    }
  }

  get all(): readonly ApiKey[] {
    return this.#keys;
  }

  find(id: string): ReturnType<ApiKeyDirectory['find']> {
    return this.#directory.find(id);
  }

  onModuleDestroy(): void {
    clearInterval(this.#checks);
  }

  #read(): readonly ApiKey[] {
    return [...(this.path === undefined ? [] : readApiKeysFile(this.path)), ...this.others];
  }

  #check(path: string): void {
    const state = stateOf(path);
    if (state !== this.#seen) {
      this.#seen = state;
      this.#reload();
    }
  }

  #reload(): void {
    try {
      const keys = this.#read();
      this.#directory = apiKeyDirectory(keys);
      const kept = new Set(keys.map(({ id, digest, namespace }) => `${id} ${digest} ${namespace}`));
      const removed = this.#keys.filter(({ id, digest, namespace }) => !kept.has(`${id} ${digest} ${namespace}`));
      this.#keys = keys;
      this.#logger.log(`${keys.length} API keys are in force; ${removed.length} were removed`);
      if (removed.length > 0) {
        this.onRemoved(new Set(removed.map(({ id }) => `api-key:${id}`)));
      }
    } catch (error) {
      this.#logger.error(`the API keys stay as they were: ${messageOf(error)}`);
    }
  }
}

/** Differs when the file is another one, or was written. */
function stateOf(path: string): string {
  const { ino, mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, mtimeMs: 0, size: 0 };
  return `${ino} ${mtimeMs} ${size}`;
}
