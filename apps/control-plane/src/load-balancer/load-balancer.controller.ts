import { Get, HttpStatus, Post, Query } from '@nestjs/common';
import type { ChangeContext } from '@palisade/domain';
import { Change, PageParameters, adminRoutes } from '@palisade/platform';
import { LOAD_BALANCER_PROBLEMS } from './load-balancer.errors.js';
import {
  LoadBalancerPreviewResponse,
  LoadBalancerStatusResponse,
  LoadBalancerVersionPage,
  LoadBalancerVersionResponse,
} from './load-balancer.dto.js';
import {
  toPreviewResponse,
  toStatusResponse,
  toVersionPage,
  toVersionQuery,
  toVersionResponse,
} from './load-balancer.mapper.js';
import { LoadBalancerService } from './load-balancer.service.js';

const PROBLEMS = ['LOAD_BALANCER_NOT_CONFIGURED', 'LEADER_UNAVAILABLE'] as const;

const { AdminController, FullAdminRoute } = adminRoutes(LOAD_BALANCER_PROBLEMS);

@AdminController('loadbalancer', 'Load balancer')
export class LoadBalancerController {
  constructor(private readonly loadBalancer: LoadBalancerService) {}

  @Post('reload')
  @FullAdminRoute('operate', {
    id: 'reloadLoadBalancer',
    summary: 'Check and reload the configuration',
    description:
      'Reloads even when nothing has changed; `changed` says whether something had. Changes of tenants and proxies are applied without this call.',
    status: HttpStatus.OK,
    answer: LoadBalancerVersionResponse,
    problems: [...PROBLEMS, 'LOAD_BALANCER_REJECTED', 'LOAD_BALANCER_ROLLED_BACK', 'LOAD_BALANCER_FAILED'],
  })
  reload(@Change() change: ChangeContext): Promise<LoadBalancerVersionResponse> {
    return this.loadBalancer.reload(change).then(toVersionResponse);
  }

  @Get('preview')
  @FullAdminRoute('read', {
    id: 'previewLoadBalancer',
    summary: 'Show what applying the current state would change',
    description: 'Writes nothing. Changes are applied automatically, so there is usually nothing to show.',
    answer: LoadBalancerPreviewResponse,
    problems: [...PROBLEMS, 'LOAD_BALANCER_REJECTED'],
  })
  preview(): Promise<LoadBalancerPreviewResponse> {
    return this.loadBalancer.preview().then(toPreviewResponse);
  }

  @Get('versions')
  @FullAdminRoute('read', {
    id: 'listLoadBalancerVersions',
    summary: 'List the changes of the load balancer, with their outcomes',
    answer: LoadBalancerVersionPage,
    problems: [...PROBLEMS, 'VALIDATION_FAILED', 'INVALID_REQUEST'],
  })
  async versions(@Query() page: PageParameters): Promise<LoadBalancerVersionPage> {
    return toVersionPage(await this.loadBalancer.listVersions(toVersionQuery(page)), page);
  }

  @Get('status')
  @FullAdminRoute('read', {
    id: 'getLoadBalancerStatus',
    summary: 'Show the last version, and differences from the desired state',
    answer: LoadBalancerStatusResponse,
    problems: [...PROBLEMS],
  })
  status(): Promise<LoadBalancerStatusResponse> {
    return this.loadBalancer.status().then(toStatusResponse);
  }
}
