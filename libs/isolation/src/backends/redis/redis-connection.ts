/** A connection to a Redis server. All that can be done with it is to have {@link RedisDriver} make a client over it. */
export abstract class RedisConnection {
  protected readonly backend = 'redis';
}
