import type { NamespaceId } from '@palisade/domain';
import type { ConnectionDriver, Credentials } from '../pools/connection-driver.js';
import { SHARED } from '../pools/pool-settings.js';
import type { CpuMeter } from '../limits/cpu-meter.js';

export interface ChargedDriverOptions<C> {
  readonly driver: ConnectionDriver<C>;
  readonly meter: CpuMeter;
}

/**
 * Has what comes in on a connection charged to the connection's namespace; to nobody when all share it. Otherwise it would be charged to whoever was
 * served when the connection was opened, who may be another: the one that gave the slot back.
 */
export class ChargedDriver<C> implements ConnectionDriver<C> {
  readonly #options: ChargedDriverOptions<C>;

  constructor(options: ChargedDriverOptions<C>) {
    this.#options = options;
  }

  connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<C> {
    const { driver, meter } = this.#options;
    return meter.run(namespace === SHARED ? undefined : namespace, () =>
      driver.connect(namespace, signal, credentials),
    );
  }

  reset(connection: C): Promise<void> | undefined {
    return this.#options.driver.reset?.(connection);
  }

  isUsable(connection: C): boolean {
    return this.#options.driver.isUsable(connection);
  }

  close(connection: C): Promise<void> {
    return this.#options.driver.close(connection);
  }

  onLost(connection: C, listener: () => void): void | (() => void) {
    return this.#options.driver.onLost?.(connection, listener);
  }
}
