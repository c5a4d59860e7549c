import { Get } from '@nestjs/common';
import { parsePoolName, type PoolName } from '@palisade/domain';
import { LABEL, PathParameter, adminRoutes } from '@palisade/platform';
import { POOL_PROBLEMS } from './pools.errors.js';
import { toPoolResponse } from './pool.mapper.js';
import { PoolList, PoolResponse } from './pools.dto.js';
import { PoolsService } from './pools.service.js';

const PoolParam = PathParameter('name', 'Name of the pool.', { ...LABEL, example: 'standard' }, parsePoolName);

const { AdminController, FullAdminRoute } = adminRoutes(POOL_PROBLEMS);

@AdminController('pools', 'Pools')
export class PoolsController {
  constructor(private readonly pools: PoolsService) {}

  @Get()
  @FullAdminRoute('read', { id: 'listPools', summary: 'List pools of proxies', answer: PoolList })
  list(): Promise<PoolList> {
    return this.pools.list().then((pools) => ({ items: pools.map(toPoolResponse) }));
  }

  @Get(':name')
  @FullAdminRoute('read', {
    id: 'getPool',
    summary: 'Show a pool of proxies',
    answer: PoolResponse,
    problems: ['POOL_NOT_FOUND'],
  })
  get(@PoolParam name: PoolName): Promise<PoolResponse> {
    return this.pools.get(name).then(toPoolResponse);
  }
}
