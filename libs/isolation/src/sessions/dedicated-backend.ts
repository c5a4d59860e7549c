import { type Clock, onAbort } from '@palisade/async';
import type { NamespaceId } from '@palisade/domain';
import { WaitingLine } from '../collections/waiting-line.js';
import { type ConnectionDriver, connectWithin, type Credentials } from '../pools/connection-driver.js';
import { BackendUnavailableError, NamespaceRejectedError } from '../pools/pool.errors.js';
import { OpeningGate } from '../pools/opening-gate.js';
import type { CpuMeter } from '../limits/cpu-meter.js';

export interface DedicatedBackendOptions {
  readonly name: string;
  readonly driver: ConnectionDriver<unknown>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly meter: CpuMeter;
  readonly connectTimeoutMs: number;
}

const GATE = { maxOpening: 16, initialBackoffMs: 100, maxBackoffMs: 2_000 };

/**
 * Makes and ends the connections of sessions to one backend. A bounded number may be opening at once, fewer after a
 * failure; the others wait in order. In the pause after a failure attempts are rejected instead of made.
 */
export class DedicatedBackend {
  readonly name: string;
  readonly driver: ConnectionDriver<unknown>;
  readonly #clock: Clock;
  readonly #meter: CpuMeter;
  readonly #connectTimeoutMs: number;
  readonly #gate: OpeningGate;
  readonly #line = new WaitingLine();
  #opening = 0;

  constructor({ name, driver, clock, random, meter, connectTimeoutMs }: DedicatedBackendOptions) {
    this.name = name;
    this.driver = driver;
    this.#clock = clock;
    this.#meter = meter;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#gate = new OpeningGate({ ...GATE, random });
  }

  /**
   * @throws {BackendUnavailableError} when the connection cannot be made, or another attempt has just failed
   * @throws the reason of `signal` when that aborts first
   */
  async connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<unknown> {
    await this.#takeTurn(signal);
    const attempt = new AbortController();
    using _ = onAbort(signal, () => attempt.abort(signal.reason));
    const startedAtMs = this.#clock.now();
    const target = { driver: this.driver, clock: this.#clock, attempt, namespace, credentials };
    try {
      const connection = await this.#meter.run(namespace, () => connectWithin(this.#connectTimeoutMs, target));
      this.#gate.succeed();
      return connection;
    } catch (error) {
      signal.throwIfAborted();
      throw this.#fail(startedAtMs, error);
    } finally {
      this.#opening--;
      this.#admit();
    }
  }

  /** Ends a connection, whatever it is doing. Never rejects. */
  async close(connection: unknown): Promise<void> {
    try {
      await this.driver.close(connection);
    } catch {
      // Nothing is left that could be done for it.
    }
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#admit();
    if (this.#line.length === 0 && this.#gate.permits(this.#clock.now(), this.#opening)) {
      this.#opening++;
      return;
    }
    if (this.#gate.retryInMs(this.#clock.now()) > 0) {
      throw this.#unavailable(this.#gate.lastError);
    }
    await this.#line.join(signal);
  }

  #admit(): void {
    if (this.#gate.retryInMs(this.#clock.now()) > 0) {
      this.#line.rejectAll(this.#unavailable(this.#gate.lastError));
    }
    while (this.#gate.permits(this.#clock.now(), this.#opening) && this.#line.admit()) {
      this.#opening++;
    }
  }

  #fail(startedAtMs: number, error: unknown): BackendUnavailableError {
    if (!(error instanceof NamespaceRejectedError)) {
      this.#gate.fail(startedAtMs, this.#clock.now(), error);
    }
    return this.#unavailable(error);
  }

  #unavailable(cause: unknown): BackendUnavailableError {
    const retryInMs = this.#gate.retryInMs(this.#clock.now());
    return new BackendUnavailableError(this.name, Math.max(1, this.#gate.failures), retryInMs, { cause });
  }
}
