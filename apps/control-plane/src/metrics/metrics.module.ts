import { Module } from '@nestjs/common';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { RegistryModule } from '../registry/registry.module.js';
import { ControlPlaneMetrics } from './control-plane-metrics.js';

@Module({ imports: [LeadershipModule, RegistryModule], providers: [ControlPlaneMetrics] })
export class MetricsModule {}
