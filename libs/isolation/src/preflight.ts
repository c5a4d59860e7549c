import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ISOLATION_OPTIONS, type IsolationOptions } from './isolation-options.js';

/** Checks every backend before the app takes requests; one that is unsafe stops the start. */
@Injectable()
export class Preflight implements OnApplicationBootstrap {
  readonly #logger = new Logger(Preflight.name);

  constructor(@Inject(ISOLATION_OPTIONS) private readonly options: IsolationOptions) {}

  async onApplicationBootstrap(): Promise<void> {
    const checks = Object.entries(this.options.backends).map(async ([backend, driver]) => {
      for (const warning of (await driver.preflight?.()) ?? []) {
        this.#logger.warn(warning, { backend });
      }
    });
    await Promise.all(checks);
  }
}
