import {
  requireInteger,
  requireSome,
  toArgument,
  toArguments,
  toNumber,
  toPositions,
  toValues,
  type CommandIssuer,
  type Issued,
  type IssueMode,
  type RedisInput,
} from './command-issuer.js';

export interface ScoredMember<V> {
  readonly member: V;
  readonly score: number;
}

/** Both ends are included; -Infinity and Infinity leave it open. */
export interface ScoreRange {
  readonly min?: number;
  readonly max?: number;
}

export interface SortedRangeOptions {
  /** From the highest score downwards. */
  readonly isReversed?: boolean;
}

export interface ScoreRangeOptions extends SortedRangeOptions {
  /** Members to skip first. Default 0. */
  readonly offset?: number;
  /** Members at most. Absent: all. */
  readonly limit?: number;
}

/** Sets whose members have scores and are in their order. Positions count from 0, and from -1 backwards from the end. */
export class SortedSetCommands<M extends IssueMode, V> {
  constructor(private readonly issuer: CommandIssuer<M>) {}

  /** How many of the members are new; the others get their new scores. */
  add(key: string, members: Iterable<readonly [member: RedisInput, score: number]>): Issued<number>[M] {
    return this.issuer.issue(
      (own) => [
        'ZADD',
        own(key),
        ...requireSome(members).flatMap(([member, score]) => [toScore(score), toArgument(member)]),
      ],
      toNumber,
    );
  }

  /** How many of the members there were. */
  remove(key: string, ...members: readonly RedisInput[]): Issued<number>[M] {
    return this.issuer.issue((own) => ['ZREM', own(key), ...toArguments(members)], toNumber);
  }

  /** The new score. */
  incrBy(key: string, member: RedisInput, by: number): Issued<number>[M] {
    return this.issuer.issue((own) => ['ZINCRBY', own(key), toScore(by), toArgument(member)], toNumber);
  }

  score(key: string, member: RedisInput): Issued<number | undefined>[M] {
    return this.issuer.issue((own) => ['ZSCORE', own(key), toArgument(member)], toOptionalNumber);
  }

  /** The member's position by score, lowest first. */
  rank(key: string, member: RedisInput): Issued<number | undefined>[M] {
    return this.issuer.issue((own) => ['ZRANK', own(key), toArgument(member)], toOptionalNumber);
  }

  size(key: string): Issued<number>[M] {
    return this.issuer.issue((own) => ['ZCARD', own(key)], toNumber);
  }

  count(key: string, { min = -Infinity, max = Infinity }: ScoreRange = {}): Issued<number>[M] {
    return this.issuer.issue((own) => ['ZCOUNT', own(key), toScore(min), toScore(max)], toNumber);
  }

  /** By position, from `start` to `stop`, both included. */
  range(key: string, start: number, stop: number, options?: SortedRangeOptions): Issued<V[]>[M] {
    return this.issuer.issue(
      (own) => ['ZRANGE', own(key), ...toPositions(start, stop), ...toOrder(options)],
      toValues<V>,
    );
  }

  /** By position, from `start` to `stop`, both included. */
  rangeWithScores(
    key: string,
    start: number,
    stop: number,
    options?: SortedRangeOptions,
  ): Issued<ScoredMember<V>[]>[M] {
    return this.issuer.issue(
      (own) => ['ZRANGE', own(key), ...toPositions(start, stop), ...toOrder(options), 'WITHSCORES'],
      toScoredMembers<V>,
    );
  }

  rangeByScore(key: string, range: ScoreRange, options: ScoreRangeOptions = {}): Issued<ScoredMember<V>[]>[M] {
    return this.issuer.issue(
      (own) => ['ZRANGE', own(key), ...toScoreRange(range, options), 'WITHSCORES'],
      toScoredMembers<V>,
    );
  }

  /** How many were removed. */
  removeByScore(key: string, { min = -Infinity, max = Infinity }: ScoreRange): Issued<number>[M] {
    return this.issuer.issue((own) => ['ZREMRANGEBYSCORE', own(key), toScore(min), toScore(max)], toNumber);
  }
}

function toOrder({ isReversed = false }: SortedRangeOptions = {}): string[] {
  return isReversed ? ['REV'] : [];
}

/** The arguments of ZRANGE, which takes the end to start from first. */
function toScoreRange(
  { min = -Infinity, max = Infinity }: ScoreRange,
  { isReversed = false, offset = 0, limit }: ScoreRangeOptions,
): string[] {
  const bounds = isReversed ? [max, min] : [min, max];
  const count = limit === undefined ? '-1' : requireInteger('limit', limit, 0);
  const page = ['LIMIT', requireInteger('offset', offset, 0), count];
  return [...bounds.map(toScore), 'BYSCORE', ...toOrder({ isReversed }), ...page];
}

function toScore(score: number): string {
  if (typeof score !== 'number' || Number.isNaN(score)) {
    throw new RangeError(`score: expected a number, found ${String(score)}`);
  }
  if (Number.isFinite(score)) {
    return String(score);
  }
  return score > 0 ? '+inf' : '-inf';
}

function toOptionalNumber(reply: unknown): number | undefined {
  return reply === null ? undefined : toNumber(reply);
}

function toScoredMembers<V>(reply: unknown): ScoredMember<V>[] {
  return (reply as [V, number][]).map(([member, score]) => ({ member, score }));
}
