import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PLATFORM_OPTIONS, type PlatformOptions } from '../platform-options.js';

/** A collector that is away must not hold up the end of the process for long. */
const MAX_FLUSH_MS = 3000;

/** Sends the spans that are pending when the app ends: once no more requests are served. */
@Injectable()
export class TracingEnd implements OnApplicationShutdown {
  constructor(@Inject(PLATFORM_OPTIONS) private readonly options: PlatformOptions) {}

  async onApplicationShutdown(): Promise<void> {
    const { tracing, shutdownGraceMs } = this.options;
    await tracing?.end(Math.min(shutdownGraceMs, MAX_FLUSH_MS));
  }
}
