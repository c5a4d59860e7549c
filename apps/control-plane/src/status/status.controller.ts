import { Get } from '@nestjs/common';
import { adminRoutes } from '@palisade/platform';
import { StatusResponse } from './status.dto.js';
import { StatusService } from './status.service.js';

const { AdminController, FullAdminRoute } = adminRoutes({});

@AdminController('status', 'Status')
export class StatusController {
  constructor(private readonly status: StatusService) {}

  @Get()
  @FullAdminRoute('read', {
    id: 'getStatus',
    summary: 'Show who leads, and how far the leader is',
    description: 'What is pending or failing, and why: load balancer, DNS, Kubernetes, provisioning, audit export.',
    answer: StatusResponse,
  })
  get(): Promise<StatusResponse> {
    return this.status.get();
  }
}
