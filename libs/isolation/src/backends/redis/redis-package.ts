import type * as Package from 'redis';
import { requirePackage } from '../require-package.js';

export const { ErrorReply, RESP_TYPES, RedisClient } = requirePackage<typeof Package>('Redis', 'redis');
