import {
  toArgument,
  toArguments,
  toBoolean,
  toNumber,
  toValues,
  type CommandIssuer,
  type Issued,
  type IssueMode,
  type RedisInput,
} from './command-issuer.js';

/** Sets, without order. */
export class SetCommands<M extends IssueMode, V> {
  constructor(private readonly issuer: CommandIssuer<M>) {}

  /** How many of the members are new. */
  add(key: string, ...members: readonly RedisInput[]): Issued<number>[M] {
    return this.issuer.issue((own) => ['SADD', own(key), ...toArguments(members)], toNumber);
  }

  /** How many of the members there were. */
  remove(key: string, ...members: readonly RedisInput[]): Issued<number>[M] {
    return this.issuer.issue((own) => ['SREM', own(key), ...toArguments(members)], toNumber);
  }

  has(key: string, member: RedisInput): Issued<boolean>[M] {
    return this.issuer.issue((own) => ['SISMEMBER', own(key), toArgument(member)], toBoolean);
  }

  members(key: string): Issued<V[]>[M] {
    return this.issuer.issue((own) => ['SMEMBERS', own(key)], toValues<V>);
  }

  size(key: string): Issued<number>[M] {
    return this.issuer.issue((own) => ['SCARD', own(key)], toNumber);
  }
}
