import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isObject, parseJsonObject } from '@palisade/domain';
import { FailureError, systemErrorCode, unreadable, UsageError } from '../command/command.errors.js';

/**
 * What was applied together: objects carry no labels, so a file remembers which of them came from the same files. It begins as
 * everything that an apply may create, so that an interrupted one forgets nothing.
 */
export class Inventory {
  private constructor(
    private readonly path: string,
    private readonly services: Readonly<Record<string, string>>,
    readonly names: ReadonlySet<string>,
  ) {}

  /** @throws {UsageError} when the file is no inventory, or that of other services */
  static read(path: string, services: Readonly<Record<string, string>>): Inventory {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') {
        return new Inventory(path, services, new Set());
      }
      throw unreadable(path, error);
    }
    const { services: known, objects } = parseJsonObject(text) ?? {};
    if (!isObject(known) || !Array.isArray(objects) || !objects.every((name) => typeof name === 'string')) {
      throw new UsageError(`${path} is not an inventory of palisade apply`);
    }
    const other = Object.keys(services).find((name) => known[name] !== services[name]);
    if (other !== undefined) {
      throw new UsageError(`${path} is the inventory of ${String(known[other])}, not of ${services[other]}`);
    }
    return new Inventory(path, services, new Set(objects));
  }

  /** @throws {FailureError} when it cannot be written */
  write(names: Iterable<string>): void {
    const objects = [...new Set(names)].toSorted();
    const draft = `${this.path}.new`;
    try {
      writeFileSync(draft, `${JSON.stringify({ services: this.services, objects }, undefined, 2)}\n`);
      renameSync(draft, this.path);
    } catch (error) {
      throw new FailureError(`cannot write ${this.path} (${systemErrorCode(error) ?? String(error)})`, {
        cause: error,
      });
    }
  }
}
