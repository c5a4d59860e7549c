import {
  requireInteger,
  requireSome,
  toArgument,
  toBoolean,
  toNothing,
  toNumber,
  toOptionalValues,
  toText,
  toValue,
  type CommandIssuer,
  type Issued,
  type IssueMode,
  type RedisInput,
} from './command-issuer.js';
import { HashCommands } from './hash-commands.js';
import { ListCommands } from './list-commands.js';
import { SetCommands } from './set-commands.js';
import { SortedSetCommands } from './sorted-set-commands.js';

export interface SetOptions {
  /** The key expires after so many milliseconds. Absent: never. */
  readonly ttlMs?: number;
  /** The key keeps the expiry that it has. */
  readonly keepsTtl?: boolean;
  /** Only when the key does not exist, or only when it does. */
  readonly onlyIf?: 'absent' | 'present';
}

const CONDITIONS = { absent: 'NX', present: 'XX' };

/** PTTL's replies for a key that does not exist, and for one that does not expire. */
const NO_KEY = -2;
const NO_EXPIRY = -1;

/**
 * Keys and their values. Every key is the namespace's own, whatever characters it has. What is a text in a reply is a
 * `V`: text, or bytes for a client's `bytes`.
 */
export abstract class KeyCommands<M extends IssueMode, V> {
  readonly hashes: HashCommands<M, V>;
  readonly lists: ListCommands<M, V>;
  readonly sets: SetCommands<M, V>;
  readonly sortedSets: SortedSetCommands<M, V>;
  readonly #issuer: CommandIssuer<M>;

  constructor(issuer: CommandIssuer<M>) {
    this.#issuer = issuer;
    this.hashes = new HashCommands(issuer);
    this.lists = new ListCommands(issuer);
    this.sets = new SetCommands(issuer);
    this.sortedSets = new SortedSetCommands(issuer);
  }

  get(key: string): Issued<V | undefined>[M] {
    return this.#issuer.issue((own) => ['GET', own(key)], toValue<V>);
  }

  /** Whether the value was set, which `onlyIf` may prevent. */
  set(key: string, value: RedisInput, options: SetOptions = {}): Issued<boolean>[M] {
    return this.#issuer.issue(
      (own) => ['SET', own(key), toArgument(value), ...setArguments(options)],
      (reply) => reply !== null,
    );
  }

  /** The value of a key that does not exist any more. */
  getDel(key: string): Issued<V | undefined>[M] {
    return this.#issuer.issue((own) => ['GETDEL', own(key)], toValue<V>);
  }

  /** In the order of the keys. */
  mGet(keys: readonly string[]): Issued<(V | undefined)[]>[M] {
    return this.#issuer.issue((own) => ['MGET', ...requireSome(keys).map(own)], toOptionalValues<V>);
  }

  /** All or none. */
  mSet(entries: Iterable<readonly [key: string, value: RedisInput]>): Issued<void>[M] {
    return this.#issuer.issue(
      (own) => ['MSET', ...requireSome(entries).flatMap(([key, value]) => [own(key), toArgument(value)])],
      toNothing,
    );
  }

  /** How many of the keys existed. */
  del(...keys: readonly string[]): Issued<number>[M] {
    return this.#issuer.issue((own) => ['DEL', ...requireSome(keys).map(own)], toNumber);
  }

  /** How many of the keys exist; one that is named twice counts twice. */
  exists(...keys: readonly string[]): Issued<number>[M] {
    return this.#issuer.issue((own) => ['EXISTS', ...requireSome(keys).map(own)], toNumber);
  }

  /** Whether the key exists. */
  expire(key: string, ttlMs: number): Issued<boolean>[M] {
    return this.#issuer.issue((own) => ['PEXPIRE', own(key), requireInteger('ttlMs', ttlMs, 1)], toBoolean);
  }

  /** Whether the key would have expired. */
  persist(key: string): Issued<boolean>[M] {
    return this.#issuer.issue((own) => ['PERSIST', own(key)], toBoolean);
  }

  /** In how many milliseconds the key expires: Infinity when never, undefined when there is no such key. */
  ttlMs(key: string): Issued<number | undefined>[M] {
    return this.#issuer.issue((own) => ['PTTL', own(key)], toTtl);
  }

  /** `string`, `hash`, `list`, `set`, `zset`, `stream`, or `none`. */
  type(key: string): Issued<string>[M] {
    return this.#issuer.issue((own) => ['TYPE', own(key)], toText);
  }

  /** The new value, which is exact up to 2^53. */
  incrBy(key: string, by = 1): Issued<number>[M] {
    return this.#issuer.issue((own) => ['INCRBY', own(key), requireInteger('by', by)], toNumber);
  }
}

function setArguments({ ttlMs, keepsTtl, onlyIf }: SetOptions): string[] {
  return [
    ...(ttlMs === undefined ? [] : ['PX', requireInteger('ttlMs', ttlMs, 1)]),
    ...(keepsTtl === true ? ['KEEPTTL'] : []),
    ...(onlyIf === undefined ? [] : [CONDITIONS[onlyIf]]),
  ];
}

function toTtl(reply: unknown): number | undefined {
  if (reply === NO_KEY) {
    return undefined;
  }
  return reply === NO_EXPIRY ? Infinity : toNumber(reply);
}
