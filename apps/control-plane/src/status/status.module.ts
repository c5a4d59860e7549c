import { Module } from '@nestjs/common';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { RegistryModule } from '../routing/table/registry.module.js';
import { ControlPlaneMetrics } from './control-plane-metrics.js';
import { StatusController } from './status.controller.js';
import { StatusService } from './status.service.js';

@Module({
  imports: [LeadershipModule, RegistryModule],
  controllers: [StatusController],
  providers: [StatusService, ControlPlaneMetrics],
})
export class StatusModule {}
