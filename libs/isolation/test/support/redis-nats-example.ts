import { Injectable } from '@nestjs/common';
import { Isolation, type IsolationCaller } from '@palisade/isolation';
import { NatsDriver } from '@palisade/isolation/nats';
import { RedisDriver } from '@palisade/isolation/redis';

@Injectable()
export class Stock {
  constructor(private readonly isolation: Isolation) {}

  /** Takes one from the shelf, and tells whoever is subscribed; undefined when there is none. */
  async take(caller: IsolationCaller, item: string): Promise<number | undefined> {
    const left = await this.isolation.run(caller, 'redis', RedisDriver, async (redis) => {
      const taken = await redis.watch([item], async () => {
        const count = Number((await redis.get(item)) ?? 0);
        return (batch) => (count === 0 ? [] : [batch.incrBy(item, -1), batch.hashes.incrBy('taken', item)]);
      });
      return taken?.[0];
    });
    if (left !== undefined) {
      await this.isolation.run(caller, 'nats', NatsDriver, (nats) => nats.publish('stock.taken', item));
    }
    return left;
  }
}
