import { Injectable, type DynamicModule } from '@nestjs/common';
import type { NamespaceId } from '@palisade/domain';
import { IsolationModule, IsolationPools, PostgresDriver } from '@palisade/isolation';

/** For the imports of a module. */
export function isolation(databaseUrl: string): DynamicModule {
  return IsolationModule.forRoot({
    settings: {
      isolation_level: 'namespace',
      connection_pools: { postgres: { connections_per_namespace: 5, max_total_connections: 20 } },
    },
    backends: { postgres: new PostgresDriver({ config: { connectionString: databaseUrl } }) },
  });
}

@Injectable()
export class Orders {
  constructor(private readonly pools: IsolationPools) {}

  async count(namespace: NamespaceId): Promise<number> {
    using lease = await this.pools.get('postgres', PostgresDriver).acquire(namespace);
    const { rows } = await lease.connection.query<{ count: number }>('select count(*)::int as count from orders');
    return rows[0]?.count ?? 0;
  }
}
