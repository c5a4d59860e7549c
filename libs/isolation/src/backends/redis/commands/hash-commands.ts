import {
  requireInteger,
  requireSome,
  toArgument,
  toArguments,
  toBoolean,
  toNumber,
  toOptionalValues,
  toText,
  toValue,
  type CommandIssuer,
  type Issued,
  type IssueMode,
  type RedisInput,
} from './command-issuer.js';

/** Hashes: keys with fields, which have values. Fields are texts. */
export class HashCommands<M extends IssueMode, V> {
  constructor(private readonly issuer: CommandIssuer<M>) {}

  get(key: string, field: string): Issued<V | undefined>[M] {
    return this.issuer.issue((own) => ['HGET', own(key), toArgument(field)], toValue<V>);
  }

  /** In the order of the fields. */
  getMany(key: string, fields: readonly string[]): Issued<(V | undefined)[]>[M] {
    return this.issuer.issue((own) => ['HMGET', own(key), ...toArguments(fields)], toOptionalValues<V>);
  }

  /** Empty when there is no such key. */
  getAll(key: string): Issued<Map<string, V>>[M] {
    return this.issuer.issue((own) => ['HGETALL', own(key)], toFields<V>);
  }

  /** How many of the fields are new. */
  set(key: string, fields: Iterable<readonly [field: string, value: RedisInput]>): Issued<number>[M] {
    return this.issuer.issue((own) => ['HSET', own(key), ...requireSome(fields).flat().map(toArgument)], toNumber);
  }

  /** Whether the field was new; only then it is set. */
  setIfAbsent(key: string, field: string, value: RedisInput): Issued<boolean>[M] {
    return this.issuer.issue((own) => ['HSETNX', own(key), toArgument(field), toArgument(value)], toBoolean);
  }

  /** How many of the fields existed. */
  del(key: string, ...fields: readonly string[]): Issued<number>[M] {
    return this.issuer.issue((own) => ['HDEL', own(key), ...toArguments(fields)], toNumber);
  }

  has(key: string, field: string): Issued<boolean>[M] {
    return this.issuer.issue((own) => ['HEXISTS', own(key), toArgument(field)], toBoolean);
  }

  fields(key: string): Issued<string[]>[M] {
    return this.issuer.issue(
      (own) => ['HKEYS', own(key)],
      (reply) => (reply as unknown[]).map(toText),
    );
  }

  size(key: string): Issued<number>[M] {
    return this.issuer.issue((own) => ['HLEN', own(key)], toNumber);
  }

  /** The new value, which is exact up to 2^53. */
  incrBy(key: string, field: string, by = 1): Issued<number>[M] {
    return this.issuer.issue((own) => ['HINCRBY', own(key), toArgument(field), requireInteger('by', by)], toNumber);
  }
}

function toFields<V>(reply: unknown): Map<string, V> {
  return new Map([...(reply as Map<unknown, V>)].map(([field, value]) => [toText(field), value]));
}
