import { Injectable } from '@nestjs/common';
import { Isolation } from '@palisade/isolation';
import { RedisDriver } from '@palisade/isolation/redis';
import type { Call } from '../http/call.js';
import { KeyNotFoundError } from './kv.errors.js';

/** The keys of the caller's namespace. */
@Injectable()
export class KvService {
  constructor(private readonly isolation: Isolation) {}

  /** @throws {KeyNotFoundError} */
  async get({ caller, signal }: Call, key: string): Promise<Buffer> {
    const options = { signal, action: 'redis.get', resource: key };
    const value = await this.isolation.run(caller, 'redis', RedisDriver, (redis) => redis.bytes.get(key), options);
    if (value === undefined) {
      throw new KeyNotFoundError(key);
    }
    return value;
  }

  async put({ caller, signal }: Call, key: string, value: Buffer, ttlMs: number | undefined): Promise<void> {
    const options = { signal, action: 'redis.set', resource: key };
    await this.isolation.run(caller, 'redis', RedisDriver, (redis) => redis.set(key, value, { ttlMs }), options);
  }

  /** @throws {KeyNotFoundError} */
  async delete({ caller, signal }: Call, key: string): Promise<void> {
    const options = { signal, action: 'redis.delete', resource: key };
    const deleted = await this.isolation.run(caller, 'redis', RedisDriver, (redis) => redis.del(key), options);
    if (deleted === 0) {
      throw new KeyNotFoundError(key);
    }
  }
}
