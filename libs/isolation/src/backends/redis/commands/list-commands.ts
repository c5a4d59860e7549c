import {
  requireInteger,
  toArgument,
  toArguments,
  toNothing,
  toNumber,
  toPositions,
  toValue,
  toValues,
  type CommandIssuer,
  type Issued,
  type IssueMode,
  type RedisInput,
} from './command-issuer.js';

/** Lists. Positions count from 0, and from -1 backwards from the tail. */
export class ListCommands<M extends IssueMode, V> {
  constructor(private readonly issuer: CommandIssuer<M>) {}

  /** The new length. Of several values the last one becomes the head. */
  pushHead(key: string, ...values: readonly RedisInput[]): Issued<number>[M] {
    return this.issuer.issue((own) => ['LPUSH', own(key), ...toArguments(values)], toNumber);
  }

  /** The new length. */
  pushTail(key: string, ...values: readonly RedisInput[]): Issued<number>[M] {
    return this.issuer.issue((own) => ['RPUSH', own(key), ...toArguments(values)], toNumber);
  }

  popHead(key: string): Issued<V | undefined>[M] {
    return this.issuer.issue((own) => ['LPOP', own(key)], toValue<V>);
  }

  popTail(key: string): Issued<V | undefined>[M] {
    return this.issuer.issue((own) => ['RPOP', own(key)], toValue<V>);
  }

  /** From `start` to `stop`, both included. */
  range(key: string, start: number, stop: number): Issued<V[]>[M] {
    return this.issuer.issue((own) => ['LRANGE', own(key), ...toPositions(start, stop)], toValues<V>);
  }

  /** Keeps what is from `start` to `stop`, both included. */
  trim(key: string, start: number, stop: number): Issued<void>[M] {
    return this.issuer.issue((own) => ['LTRIM', own(key), ...toPositions(start, stop)], toNothing);
  }

  /** How many were removed of those that equal the value: at most `count` from the head, all when it is 0. */
  remove(key: string, value: RedisInput, count = 0): Issued<number>[M] {
    return this.issuer.issue((own) => ['LREM', own(key), requireInteger('count', count), toArgument(value)], toNumber);
  }

  length(key: string): Issued<number>[M] {
    return this.issuer.issue((own) => ['LLEN', own(key)], toNumber);
  }

  /** Moves the tail of one list to the head of another, and gives it; undefined when the list is empty. */
  move(from: string, to: string): Issued<V | undefined>[M] {
    return this.issuer.issue((own) => ['LMOVE', own(from), own(to), 'RIGHT', 'LEFT'], toValue<V>);
  }
}
