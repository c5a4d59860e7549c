import { Inject, Injectable, Logger, ServiceUnavailableException } from '@nestjs/common';
import { type HealthCheckAttempt, HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { DomainError } from '@palisade/domain';
import { PLATFORM_OPTIONS, type PlatformOptions, type ReadinessCheck } from '../platform-options.js';
import { Shutdown } from './shutdown.js';

/** Load balancers that wait only a second or two still get an answer. */
const CHECK_TIMEOUT_MS = 900;
/** The checks run at most twice a second, however often clients ask. */
const CACHE_MS = 500;

export interface ReadinessReport {
  readonly status: 'ok' | 'error' | 'shutting_down';
  readonly checks: Readonly<Record<string, { readonly status: string; readonly message?: string }>>;
  readonly notices?: Readonly<Record<string, string>>;
}

/** Whether the service can serve reads: all checks of the app pass, and it is not shutting down. */
@Injectable()
export class Readiness {
  readonly #logger = new Logger(Readiness.name);
  readonly #attempts: readonly HealthCheckAttempt[];
  readonly #failing = new Set<string>();

  constructor(
    private readonly health: HealthCheckService,
    private readonly shutdown: Shutdown,
    indicators: HealthIndicatorService,
    @Inject(PLATFORM_OPTIONS) private readonly options: PlatformOptions,
  ) {
    this.#attempts = Object.entries(options.readiness).map(([name, check]) =>
      indicators
        .check(name)
        .attempt(() => this.#run(name, check))
        .withTimeout(CHECK_TIMEOUT_MS)
        .cacheFor(CACHE_MS),
    );
  }

  async report(): Promise<ReadinessReport> {
    if (this.shutdown.isUnderWay) {
      return { status: 'shutting_down', checks: {} };
    }
    try {
      const { details } = await this.health.check([...this.#attempts]);
      return { status: 'ok', checks: details, ...this.#notices() };
    } catch (error) {
      if (error instanceof ServiceUnavailableException) {
        const { details } = error.getResponse() as { readonly details: ReadinessReport['checks'] };
        return { status: 'error', checks: details, ...this.#notices() };
      }
      throw error;
    }
  }

  #notices(): Pick<ReadinessReport, 'notices'> {
    const notices = this.options.notices?.() ?? {};
    return Object.keys(notices).length === 0 ? {} : { notices };
  }

  async #run(name: string, check: ReadinessCheck): Promise<void> {
    try {
      await check();
    } catch (error) {
      this.#logFirst(name, error);
      throw error instanceof DomainError ? error : new Error('failed', { cause: error });
    }
    if (this.#failing.delete(name)) {
      this.#logger.log(`readiness check "${name}" passes again`);
    }
  }

  #logFirst(name: string, error: unknown): void {
    if (!this.#failing.has(name)) {
      this.#failing.add(name);
      this.#logger.warn(`readiness check "${name}" fails`, error);
    }
  }
}
