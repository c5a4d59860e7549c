import { escapeGlob } from '../key-space.js';

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
