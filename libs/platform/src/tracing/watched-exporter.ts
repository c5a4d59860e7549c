import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { JsonLogger } from '../telemetry/json-logger.js';
import { codeOf, redactText } from '@palisade/domain';

type ExportCallback = Parameters<SpanExporter['export']>[1];

const MAX_REASON_LENGTH = 200;
const CONTEXT = 'tracing';

/** Logs once when spans cannot be exported, and once when they can again, with the number of lost spans. */
export class WatchedExporter implements SpanExporter {
  private isOut = false;
  private lost = 0;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly logger: Pick<JsonLogger, 'log' | 'warn'>,
  ) {}

  export(spans: ReadableSpan[], callback: ExportCallback): void {
    this.exporter.export(spans, (result) => {
      if (result.code === 0) {
        this.noteSuccess();
      } else {
        this.noteFailure(result.error, spans.length);
      }
      callback(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown();
  }

  private noteSuccess(): void {
    if (this.isOut) {
      this.logger.log(`spans are exported again; ${this.lost} were lost`, CONTEXT);
      this.isOut = false;
      this.lost = 0;
    }
  }

  private noteFailure(error: Error | undefined, spans: number): void {
    this.lost += spans;
    if (!this.isOut) {
      this.isOut = true;
      this.logger.warn(`spans cannot be exported and are lost: ${reasonOf(error)}; nothing else is affected`, CONTEXT);
    }
  }
}

/** The reason in one short line, without the body of the collector's answer. */
function reasonOf(error: Error | undefined): string {
  if (error === undefined) {
    return 'no reason given';
  }
  const status = 'code' in error && typeof error.code === 'number' ? `HTTP ${error.code} ` : '';
  const text = error.message || codeOf(error) || error.name;
  return redactText(`${status}${text}`).replaceAll(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH);
}
