import { Injectable, type DynamicModule } from '@nestjs/common';
import { Isolation, IsolationModule, type IsolationCaller } from '@palisade/isolation';
import { PostgresDriver } from '@palisade/isolation/postgres';

/** For the imports of a module. */
export function isolation(databaseUrl: string): DynamicModule {
  return IsolationModule.forRoot({
    settings: {
      isolation_level: 'namespace',
      connection_pools: { postgres: { connections_per_namespace: 5, max_total_connections: 20 } },
      resource_limits: { per_namespace: { max_rps: 100, cpu: '500m', memory: '64Mi' } },
    },
    backends: {
      postgres: new PostgresDriver({
        config: { connectionString: databaseUrl },
        separation: {
          type: 'row_level_security',
          mode: 'setting',
          tenantColumn: 'tenant_id',
          tables: ['customers', 'orders'],
        },
      }),
    },
  });
}

@Injectable()
export class Orders {
  constructor(private readonly isolation: Isolation) {}

  /** The statement sees the rows of the caller's namespace and no others. */
  count(caller: IsolationCaller, signal?: AbortSignal): Promise<number> {
    return this.isolation.run(
      caller,
      'postgres',
      PostgresDriver,
      async (client) => {
        const { rows } = await client.query<{ count: number }>('select count(*)::int as count from orders', []);
        return rows[0]?.count ?? 0;
      },
      { action: 'orders.count', resource: 'orders', signal },
    );
  }
}
