import type { JsonLogger } from '../logging/json-logger.js';

/** Spans are recorded and exported until it ends. */
export interface Tracing {
  /** Sends what is pending, as far as that is possible within the time. Never rejects. */
  end(withinMs: number): Promise<void>;
}

export interface TracingOptions {
  /** `service.name`, unless the environment names another. */
  readonly serviceName: string;
  /** Told when spans cannot be exported, and when they can again. */
  readonly logger: JsonLogger;
}
