import { createHash } from 'node:crypto';
import { escapeGlob } from './key-space.js';

/**
 * What the scoped client sends, and nothing else. Categories would grant more: `@connection` has CLIENT TRACKING, which
 * tells the names of everybody's keys as they change; `@pubsub` has PUBSUB CHANNELS, which lists everybody's channels;
 * `@read` has SCAN, RANDOMKEY and DBSIZE, and whatever modules and later versions add to it.
 */
const COMMANDS = [
  ['auth', 'hello'],
  ['get', 'set', 'getdel', 'mget', 'mset', 'incrby'],
  ['del', 'exists', 'pexpire', 'persist', 'pttl', 'type'],
  ['hget', 'hmget', 'hgetall', 'hset', 'hsetnx', 'hdel', 'hexists', 'hkeys', 'hlen', 'hincrby'],
  ['lpush', 'rpush', 'lpop', 'rpop', 'lrange', 'ltrim', 'lrem', 'llen', 'lmove'],
  ['sadd', 'srem', 'sismember', 'smembers', 'scard'],
  ['zadd', 'zrem', 'zincrby', 'zscore', 'zrank', 'zcard', 'zcount', 'zrange', 'zremrangebyscore'],
  ['publish', 'subscribe', 'unsubscribe', 'psubscribe', 'punsubscribe'],
  ['multi', 'exec', 'watch', 'unwatch'],
].flat();

/** As SETUSER takes them, and GETUSER says them. */
export const COMMAND_RULES: readonly string[] = ['-@all', ...COMMANDS.map((command) => `+${command}`)];

export function keyRule(prefix: string): string {
  return `~${escapeGlob(prefix)}*`;
}

export function channelRule(prefix: string): string {
  return `&${escapeGlob(prefix)}*`;
}

/** A user as GETUSER describes it. */
export interface AclUser {
  readonly flags: readonly string[];
  /** SHA-256 digests. */
  readonly passwords: readonly string[];
  readonly commands: readonly string[];
  readonly keys: readonly string[];
  readonly channels: readonly string[];
  readonly selectors: number;
}

/** Reads the reply to GETUSER; undefined when there is no such user. Redis 6 has lists where 7 has texts. */
export function readAclUser(reply: unknown): AclUser | undefined {
  if (!(reply instanceof Map)) {
    return undefined;
  }
  const selectors: unknown = reply.get('selectors');
  const rules = (name: string, sign: string) =>
    toTexts(reply.get(name)).map((rule) => (rule.startsWith(sign) ? rule : `${sign}${rule}`));
  return {
    flags: toTexts(reply.get('flags')),
    passwords: toTexts(reply.get('passwords')),
    commands: toTexts(reply.get('commands')),
    keys: rules('keys', '~'),
    channels: rules('channels', '&'),
    selectors: Array.isArray(selectors) ? selectors.length : 0,
  };
}

/** What SETUSER is told, so that the user may use what begins with the prefix and nothing else. */
export function userRules(prefix: string, digests: readonly string[]): string[] {
  const passwords = digests.map((digest) => `#${digest}`);
  return ['reset', 'on', ...passwords, keyRule(prefix), 'resetchannels', channelRule(prefix), ...COMMAND_RULES];
}

/** What a user should be. */
export interface ExpectedUser {
  readonly prefix: string;
  /** As the server describes what SETUSER is told; versions differ in that. */
  readonly commands: readonly string[];
  /** Undefined: any one password. */
  readonly digest: string | undefined;
}

/** How a user differs from what it should be, each difference as a sentence; empty when it does not. */
export function findDrift(user: AclUser, { prefix, commands, digest }: ExpectedUser): string[] {
  const unwanted = user.flags.filter((flag) => !HARMLESS_FLAGS.has(flag));
  const isOn = user.flags.includes('on');
  const expectedPasswords = digest === undefined ? user.passwords.slice(0, 1) : [digest];
  return [
    ...(isOn ? [] : ['it is off']),
    ...unwanted.map((flag) => `it has the flag ${flag}`),
    ...(user.passwords.length === 0 ? ['it has no password'] : []),
    ...(hasSame(user.passwords, expectedPasswords) ? [] : ['it has other passwords']),
    ...describe('keys', user.keys, [keyRule(prefix)]),
    ...describe('channels', user.channels, [channelRule(prefix)]),
    ...describe('commands', user.commands, commands),
    ...(user.selectors === 0 ? [] : ['it has selectors']),
  ];
}

export function digestOf(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}

const HARMLESS_FLAGS = new Set(['on', 'off', 'sanitize-payload']);

function describe(what: string, found: readonly string[], expected: readonly string[]): string[] {
  const missing = expected.filter((rule) => !found.includes(rule));
  const surplus = found.filter((rule) => !expected.includes(rule));
  return [
    ...(missing.length === 0 ? [] : [`its ${what} lack ${missing.join(' ')}`]),
    ...(surplus.length === 0 ? [] : [`its ${what} have ${surplus.join(' ')} too`]),
  ];
}

function hasSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

function toTexts(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.map(String);
  }
  return typeof value === 'string' ? value.split(' ').filter((word) => word !== '') : [];
}
