import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { ConnectionDriver } from '@palisade/isolation';
import type { Backends } from './open-backends.js';

/** The drivers of the backends, for the isolation library; the backends are closed after it. */
export class BackendDrivers implements OnApplicationShutdown {
  constructor(private readonly backends: Backends) {}

  get drivers(): Readonly<Record<string, ConnectionDriver<unknown>>> {
    return this.backends.drivers;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.backends.close();
  }
}

@Module({})
export class BackendsModule {
  static forRoot(backends: Backends): DynamicModule {
    const provider = { provide: BackendDrivers, useValue: new BackendDrivers(backends) };
    return { module: BackendsModule, providers: [provider], exports: [BackendDrivers] };
  }
}
