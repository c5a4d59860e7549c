import { Module, type OnModuleInit } from '@nestjs/common';
import { UsageService, registerIsolationMetrics } from '@palisade/isolation';
import { Metrics } from '@palisade/platform';
import { UsageController } from './usage.controller.js';

/** Usage by namespace: for each its own at `/v1/usage`, for operators all of it at `/metrics`. */
@Module({ controllers: [UsageController] })
export class UsageModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly usage: UsageService,
  ) {}

  onModuleInit(): void {
    registerIsolationMetrics(this.metrics.registry, this.usage);
  }
}
