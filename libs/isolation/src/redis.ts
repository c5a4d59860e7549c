/** `@palisade/isolation/redis`: what there is for Redis. */
export { RedisDriver, type RedisDriverOptions } from './backends/redis/redis-driver.js';
export type { RedisConnection } from './backends/redis/redis-link.js';
export type { RedisConnectOptions } from './backends/redis/redis-options.js';
export { ScopedRedis } from './backends/redis/scoped-redis.js';
export type { RedisBatch } from './backends/redis/redis-batch.js';
export type { RedisMessage, RedisSubscription } from './backends/redis/redis-subscription.js';
export type { ScanCursor, ScanOptions, ScanPage } from './backends/redis/redis-scan.js';
export type { QueuedReply, RedisInput } from './backends/redis/commands/command-issuer.js';
export type { SetOptions } from './backends/redis/commands/key-commands.js';
export type {
  ScoredMember,
  ScoreRange,
  ScoreRangeOptions,
  SortedRangeOptions,
} from './backends/redis/commands/sorted-set-commands.js';
export { RedisProvisioner, type RedisProvisionerOptions, type RedisUser } from './backends/redis/redis-provisioner.js';
