import { ISOLATION_LEVELS, type IsolationLevel } from '@palisade/domain';
import { Choice, Decimal, Integer, List, Nested, Text, Texts } from '@palisade/platform';
import { CapUsageResponse, UsageAmounts } from '../usage/usage.dto.js';
import { PoolProxyResponse } from '../proxies/proxies.dto.js';

export class PoolResourcesResponse {
  @Decimal('Cores.', { example: 2 })
  readonly cpu!: number;

  @Text('As Kubernetes writes it.', { example: '4Gi' })
  readonly memory!: string;
}

export class PoolResponse {
  @Text('Name of the pool.', { example: 'standard' })
  readonly name!: string;

  @Integer('How many proxies there are to be.', { example: 2 })
  readonly replicas!: number;

  @Nested('What each proxy gets.', PoolResourcesResponse)
  readonly resources!: PoolResourcesResponse;

  @Choice('What shares connections in its proxies, for tenants that have no level of their own.', ISOLATION_LEVELS, {
    example: 'namespace',
  })
  readonly isolation_level!: IsolationLevel;

  @Texts('Levels that tenants may have there.', { example: ISOLATION_LEVELS })
  readonly isolation_levels!: readonly string[];

  @List('Proxies that there are, in order of id.', PoolProxyResponse)
  readonly proxies!: readonly PoolProxyResponse[];

  @Integer('How many of them are healthy and take requests.', { example: 2 })
  readonly healthy!: number;

  @Integer('Tenants with namespaces there.', { example: 12 })
  readonly tenants!: number;

  @Integer('Names and patterns that lead there, of those tenants and of namespace_routing.', { example: 30 })
  readonly namespaces!: number;

  @Nested('What its namespaces use at all of its proxies; absent when none reports it.', UsageAmounts, {
    optional: true,
  })
  readonly usage?: UsageAmounts;

  @List('How the cap of each backend is divided among its proxies.', CapUsageResponse)
  readonly caps!: readonly CapUsageResponse[];
}

export class PoolList {
  @List('All pools, in order of name.', PoolResponse)
  readonly items!: readonly PoolResponse[];
}
