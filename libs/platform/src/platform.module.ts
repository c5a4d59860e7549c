import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { Metrics } from './metrics/metrics.js';
import { PlatformModuleBase } from './platform-options.js';
import { Shutdown } from './shutdown/shutdown.js';
import { TracingEnd } from './tracing/tracing-end.js';

/** `/health/live`, `/health/ready`, `/metrics` and an orderly shutdown. Goes with {@link configurePlatform}. */
@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [Metrics, Readiness, Shutdown, TracingEnd],
  exports: [Metrics],
})
export class PlatformModule extends PlatformModuleBase {}
