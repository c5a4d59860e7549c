import { Get, Query } from '@nestjs/common';
import { adminRoutes } from '@palisade/platform';
import { Admin, type AdminPrincipal } from '@palisade/guards';
import { ROUTING_PROBLEMS } from '../routing/routing.errors.js';
import { UsageParameters, UsageResponse } from './usage.dto.js';
import { toUsageQuestion, toUsageResponse } from './usage.mapper.js';
import { UsageService } from './usage.service.js';

const { AdminController, AdminRoute } = adminRoutes(ROUTING_PROBLEMS);

@AdminController('usage', 'Usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get()
  @AdminRoute('read', {
    id: 'getUsage',
    summary: 'What namespaces use at all proxies',
    description:
      'The newest reports of proxies, at most half a minute old, added up. Counters count from the start of each proxy. Admins of some namespaces see those only.',
    answer: UsageResponse,
    problems: ['VALIDATION_FAILED', 'TENANT_NOT_FOUND', 'NAMESPACE_NOT_FOUND'],
  })
  get(@Admin() admin: AdminPrincipal, @Query() query: UsageParameters): Promise<UsageResponse> {
    return this.usage.find(admin, toUsageQuestion(query)).then((usage) => toUsageResponse(usage, query.limit));
  }
}
