import { parseBytes, parseCores, parseDurationMs } from '@palisade/domain';

/** A longer delay does not fit into a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const MAX_SHOWN_LENGTH = 80;

export interface Range {
  readonly min: number;
  readonly max?: number;
}

/**
 * Reads one object of a configuration key by key. What is not as expected is noted, with its path, and read as
 * undefined, so that all problems can be reported together.
 */
export class SettingsReader {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #read = new Set<string>();

  constructor(
    value: unknown,
    readonly path: string,
    private readonly problems: string[],
  ) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) {
      this.problems.push(`${path || 'settings'}: expected an object, found ${show(value)}`);
    }
    this.#values = new Map(isObject ? Object.entries(value) : []);
  }

  has(key: string): boolean {
    return this.#values.get(key) !== undefined;
  }

  /** Keys that were not asked for by name. */
  get otherKeys(): string[] {
    return [...this.#values.keys()].filter((key) => !this.#read.has(key));
  }

  /** Undefined when the key is absent. */
  section(key: string): SettingsReader | undefined {
    const value = this.#take(key);
    return value === undefined ? undefined : new SettingsReader(value, this.#pathOf(key), this.problems);
  }

  integer(key: string, { min, max = Number.MAX_SAFE_INTEGER }: Range): number | undefined {
    const value = this.#take(key);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) {
      return value;
    }
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    return this.#reject(key, value, `an integer ${range}`);
  }

  boolean(key: string): boolean | undefined {
    const value = this.#take(key);
    return typeof value === 'boolean' ? value : this.#reject(key, value, 'true or false');
  }

  /** In milliseconds. */
  duration(key: string): number | undefined {
    const value = this.#take(key);
    const durationMs = typeof value === 'string' ? parseDurationMs(value) : undefined;
    return durationMs !== undefined && durationMs <= MAX_TIMER_MS
      ? durationMs
      : this.#reject(key, value, 'a duration such as 300s, 250ms, 5m or 1h');
  }

  /** CPU cores. */
  cores(key: string): number | undefined {
    const value = this.#take(key);
    return parseCores(value) ?? this.#reject(key, value, 'CPU cores such as 500m, 0.5 or 2');
  }

  bytes(key: string): number | undefined {
    const value = this.#take(key);
    return parseBytes(value) ?? this.#reject(key, value, 'bytes such as 256Mi, 1Gi or 512MB');
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const value = this.#take(key);
    const chosen = choices.find((choice) => choice === value);
    return chosen ?? this.#reject(key, value, `one of ${choices.join(', ')}`);
  }

  /** Notes a problem unless the key was given. */
  require(key: string): void {
    if (!this.has(key)) {
      this.report(key, 'is required');
    }
  }

  report(key: string, problem: string): void {
    this.problems.push(`${this.#pathOf(key)}: ${problem}`);
  }

  /** Notes every key that nobody has asked for. */
  finish(): void {
    for (const key of this.otherKeys) {
      this.problems.push(`${this.#pathOf(key.slice(0, MAX_SHOWN_LENGTH))}: unknown key`);
    }
  }

  #take(key: string): unknown {
    this.#read.add(key);
    return this.#values.get(key);
  }

  #reject(key: string, value: unknown, expected: string): undefined {
    if (value !== undefined) {
      this.report(key, `expected ${expected}, found ${show(value)}`);
    }
  }

  #pathOf(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }
}

function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? 'a list' : 'an object';
  }
  return String(JSON.stringify(value)).slice(0, MAX_SHOWN_LENGTH);
}
