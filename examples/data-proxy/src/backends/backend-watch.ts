import type { LoggerService } from '@nestjs/common';
import { DomainError, redactText } from '@palisade/domain';
import { type ConnectionDriver, NamespaceRejectedError } from '@palisade/isolation';
import { Gauge, type Registry } from 'prom-client';

/**
 * Which backends are unreachable, and why, as the attempts to connect show: one that fails begins an outage, one that succeeds
 * ends it. A login that is rejected for one namespace is no outage, nor is an attempt that nobody waits for any more.
 */
export class BackendWatch {
  /** Codes of the errors, by backend. They say nothing about addresses, so that anybody may see them. */
  readonly #causes = new Map<string, string>();

  constructor(private readonly logger: Pick<LoggerService, 'log' | 'warn'>) {}

  get causes(): ReadonlyMap<string, string> {
    return this.#causes;
  }

  /** For `/health/ready`. */
  notices(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#causes].map(([backend, cause]) => [backend, `unreachable: ${cause}`]));
  }

  /** Observes the attempts of a driver to connect from now on. */
  observe(backend: string, driver: ConnectionDriver<unknown>): void {
    const connect = driver.connect.bind(driver);
    driver.connect = async (namespace, signal, credentials) => {
      try {
        const connection = await connect(namespace, signal, credentials);
        this.#recover(backend);
        return connection;
      } catch (error) {
        const reason: unknown = signal.aborted ? signal.reason : error;
        const isUnwanted = signal.aborted && reason instanceof DomainError;
        if (!isUnwanted && !(reason instanceof NamespaceRejectedError)) {
          this.#fail(backend, reason);
        }
        throw error;
      }
    };
  }

  registerMetrics(registry: Registry): void {
    const unreachable = new Gauge({
      name: 'data_proxy_backend_unreachable',
      help: '1 for each backend that is unreachable, by the code of the cause.',
      labelNames: ['backend', 'cause'],
      registers: [registry],
      collect: () => {
        unreachable.reset();
        this.#causes.forEach((cause, backend) => unreachable.set({ backend, cause }, 1));
      },
    });
  }

  #fail(backend: string, error: unknown): void {
    const isNew = !this.#causes.has(backend);
    const { code, message } = describe(error);
    this.#causes.set(backend, code);
    if (isNew) {
      this.logger.warn(`${backend} is unreachable: ${redactText(message)} (${code})`, 'Backends');
    }
  }

  #recover(backend: string): void {
    if (this.#causes.delete(backend)) {
      this.logger.log(`${backend} is reachable again`, 'Backends');
    }
  }
}

/** The first error behind others that says something: Node wraps the failures of a name's several addresses without a message. */
function describe(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return describe(error.errors[0]);
  }
  if (!(error instanceof Error)) {
    return { code: 'UNKNOWN', message: String(error) };
  }
  if ('code' in error && typeof error.code === 'string' && /^\w{1,40}$/.test(error.code)) {
    return { code: error.code, message: error.message };
  }
  if (error.cause instanceof Error) {
    const { code } = describe(error.cause);
    return { code, message: `${error.message}: ${error.cause.message}` };
  }
  const isTimeout = error.name === 'AbortError' || error.message.startsWith('no connection within');
  return { code: isTimeout ? 'TIMEOUT' : 'FAILED', message: error.message };
}
