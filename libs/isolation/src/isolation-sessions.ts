import { Inject, Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { IsolationLevelError } from './isolation.errors.js';
import { CPU_METER, ISOLATION_OPTIONS, ISOLATION_SETTINGS, type IsolationOptions } from './isolation-options.js';
import { SessionManager } from './sessions/session-manager.js';
import type { IsolationSettings } from './isolation-settings.js';
import type { CpuMeter } from './limits/cpu-meter.js';

/**
 * The sessions, at the isolation level `session`. When the app shuts down, new ones are rejected at once, and existing ones
 * end after the requests under way.
 */
@Injectable()
export class IsolationSessions implements OnModuleDestroy, OnApplicationShutdown {
  readonly #manager: SessionManager | undefined;

  constructor(
    @Inject(ISOLATION_SETTINGS) private readonly settings: IsolationSettings,
    @Inject(ISOLATION_OPTIONS) { backends, auditSink, clock }: IsolationOptions,
    @Inject(CPU_METER) meter: CpuMeter,
  ) {
    if (settings.level === 'session') {
      const limits = settings.pools.entries().map(([name, { maxTotal, perSessionLimit }]) => {
        return [name, { maxConnections: maxTotal, perSessionLimit }] as const;
      });
      const sessions = { ...settings.sessions, connectTimeoutMs: 5000, backends: new Map(limits) };
      const options = { settings: sessions, drivers: backends, sink: auditSink, clock, meter };
      this.#manager = new SessionManager(options);
    }
  }

  /** @throws {IsolationLevelError} at the other levels */
  get manager(): SessionManager {
    if (this.#manager === undefined) {
      throw new IsolationLevelError(this.settings.level, 'sessions');
    }
    return this.#manager;
  }

  onModuleDestroy(): void {
    this.#manager?.stopOpening();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#manager?.drain();
  }
}
