import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { FairTurns } from './http/fair-turns.js';
import { ManagementListener } from './http/management-listener.js';
import { HealthController } from './lifecycle/health.controller.js';
import { Readiness } from './lifecycle/readiness.js';
import { Shutdown } from './lifecycle/shutdown.js';
import { PLATFORM_OPTIONS, PlatformModuleBase, type PlatformOptions } from './platform-options.js';
import { Metrics, MetricsController } from './telemetry/metrics.js';

/** An unreachable collector must not delay the end of the process for long. */
const MAX_FLUSH_MS = 3000;

/** Sends pending spans when the app ends, after the last request. */
@Injectable()
export class TracingEnd implements OnApplicationShutdown {
  constructor(@Inject(PLATFORM_OPTIONS) private readonly options: PlatformOptions) {}

  async onApplicationShutdown(): Promise<void> {
    const { tracing, shutdownGraceMs } = this.options;
    await tracing?.end(Math.min(shutdownGraceMs, MAX_FLUSH_MS));
  }
}

/** `/health/live`, `/health/ready`, `/metrics` and an orderly shutdown. Goes with {@link configurePlatform}. */
@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [FairTurns, ManagementListener, Metrics, Readiness, Shutdown, TracingEnd],
  exports: [FairTurns, Metrics],
})
export class PlatformModule extends PlatformModuleBase {}
