import { Body, Controller, Module, Post, type DynamicModule } from '@nestjs/common';
import { CurrentNamespace, ForNamespace, type NamespaceIdentity } from '@palisade/guards';
import { Isolation, IsolationModule } from '@palisade/isolation';
import { RedisDriver } from '@palisade/isolation/redis';

@Controller('visits')
@ForNamespace()
export class VisitsController {
  constructor(private readonly isolation: Isolation) {}

  @Post()
  count(@CurrentNamespace() caller: NamespaceIdentity, @Body() { page }: { page: string }): Promise<number> {
    return this.isolation.run(caller, 'redis', RedisDriver, (redis) => redis.incrBy(page));
  }
}

@Module({})
export class VisitsModule {
  static forRoot(redisUrl: string): DynamicModule {
    const isolation = IsolationModule.forRoot({
      settings: {
        isolation_level: 'namespace',
        connection_pools: { redis: { connections_per_namespace: 5, max_total_connections: 50 } },
      },
      backends: { redis: new RedisDriver({ config: { url: redisUrl } }) },
    });
    return { module: VisitsModule, imports: [isolation], controllers: [VisitsController] };
  }
}
